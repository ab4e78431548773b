// A file of SQL is divided into its statements: none is cut, none is lost, and each knows its line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements } from '../../server/src/commit/distributed/statements.ts';
import { MIGRATIONS, readMigrations } from '../../server/src/commit/migrate.ts';

test('a semicolon in a text, a comment, a name or a body ends no statement', () => {
  const sql = `-- one; two
create table a (b text default 'x;''y');

/* three; */ create function f() returns void language plpgsql as $body$
begin
  perform 1; -- $$
end $body$;
  alter table a add column "c;d" text; ;
-- the end;`;
  assert.deepEqual(
    splitStatements(sql).map(({ text, line }) => [line, text.split('\n')[0]]),
    [
      [2, `create table a (b text default 'x;''y')`],
      [4, 'create function f() returns void language plpgsql as $body$'],
      [8, 'alter table a add column "c;d" text'],
    ],
  );
});

test('the statements of every migration are the whole file', async () => {
  const bare = (sql: string): string => sql.replaceAll(/--[^\n]*/g, '').replaceAll(/[\s;]/g, '');
  for (const { name, sql } of await readMigrations(MIGRATIONS)) {
    const statements = splitStatements(sql);
    assert.equal(bare(statements.map(({ text }) => text).join(';')), bare(sql), name);
    for (const { text } of statements) assert.match(text, /^(create|alter|drop|insert|update|delete|comment) /i, name);
  }
});

/** Older ones are never applied to a distributed database: distributing needs all migrations up to this one. */
const FIRST_ON_A_CLUSTER = '0046';

test('later migrations are written so that a distributed database accepts them', async () => {
  for (const { name, sql } of (await readMigrations(MIGRATIONS)).filter((each) => each.name >= FIRST_ON_A_CLUSTER)) {
    for (const { text } of splitStatements(sql).filter((each) => /^alter table/i.test(each.text))) {
      const parts = text.match(/\b(add|drop|alter) (column|constraint)\b/gi) ?? [];
      const isMixed = parts.length > 1 && parts.some((part) => /constraint/i.test(part));
      assert.ok(!isMixed, `${name}: a constraint needs an alter table of its own`);
      const isChecked = /add column/i.test(text) && /\b(check|unique|primary key|references)\b/i.test(text);
      assert.ok(!isChecked, `${name}: add the column first, then its constraint in an alter table of its own`);
    }
    assert.doesNotMatch(
      sql,
      /before [a-z ]*\bor truncate\b|\btruncate or\b/i,
      `${name}: truncate needs a trigger of its own`,
    );
  }
});
