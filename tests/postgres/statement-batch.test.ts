// A batch of prepared statements: its values arrive unchanged, its statements are executed in their order, and none behind a failure.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import type pg from 'pg';
import { columnOf } from '../../server/src/commit/columnar.ts';
import { openLane } from '../../server/src/postgres/connection.ts';
import type { NamedStatement, StatementValue } from '../../server/src/postgres/message-buffer.ts';
import { sendTogether } from '../../server/src/postgres/send-together.ts';
import { StatementBatch } from '../../server/src/postgres/statement-batch.ts';
import { createDatabase, type TestDatabase } from '../../tools/test-database/database.ts';

let database: TestDatabase;
let client: pg.Client;
before(async () => {
  database = await createDatabase({ empty: true });
  client = await openLane(database.connection);
  await client.query(`create table written (
    n bigserial, text text, number bigint, flag boolean, bytes bytea, texts text[], check (text <> 'refused'))`);
});
after(async () => {
  await client.end();
  await database.drop();
});
beforeEach(() => client.query('truncate written restart identity'));

type Row = {
  readonly text: string | null;
  readonly number: bigint | null;
  readonly flag: boolean | null;
  readonly bytes: Buffer | null;
  readonly texts: readonly (string | null)[];
};

const write = (row: Row): NamedStatement => {
  const texts = columnOf(['text', 'text', (text: string | null) => text], row.texts);
  const values: StatementValue[] = [row.text, row.number, row.flag, row.bytes, texts];
  return {
    name: 'write-row',
    text: 'insert into written (text, number, flag, bytes, texts) values ($1, $2, $3, $4, $5)',
    values,
  };
};

const send = (statements: readonly NamedStatement[]): Promise<unknown> =>
  Promise.all(sendTogether(client, [new StatementBatch(statements)]));

const rows = async (): Promise<Row[]> =>
  (await client.query('select text, number, flag, bytes, texts from written order by n')).rows;

const ofText = (text: string | null): Row => ({ text, number: 1n, flag: true, bytes: Buffer.alloc(0), texts: [] });

const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { freq: 4 });
// PostgreSQL's text is Unicode without NUL.
const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '💶', 'é'),
    fc.nat(200_000).map((size) => 'é'.repeat(size)),
  )
  .filter((text) => !text.includes('\0') && text !== 'refused');
const anyRow = fc.record<Row>(
  {
    text: maybe(anyText),
    number: maybe(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    flag: maybe(fc.boolean()),
    bytes: maybe(fc.uint8Array({ maxLength: 100_000 }).map((bytes) => Buffer.from(bytes))),
    texts: fc.array(maybe(anyText), { maxLength: 3 }),
  },
  { noNullPrototype: true },
);

test('values arrive unchanged in the order of the statements, whatever was written into the same memory before', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 4 }), async (given) => {
      await client.query('truncate written restart identity');
      await send(given.map(write));
      assert.deepEqual(await rows(), given);
    }),
    { seed: 7, numRuns: 60 },
  ));

test('batches that are sent at once do not share memory', async () => {
  const texts = Array.from({ length: 12 }, (_, i) => `${i} `.repeat(5_000 * (i % 4)));
  await Promise.all(texts.map((text) => send([write(ofText(text))])));
  assert.deepEqual(
    (await rows()).map(({ text }) => text),
    texts,
  );
});

test('a statement behind a failed one is not executed, and the connection goes on', async () => {
  const batch = ['one', 'refused', 'three'].map((text) => write(ofText(text)));
  await assert.rejects(send(batch), { code: '23514' });
  assert.deepEqual(await rows(), []);
  await send([write(ofText('after'))]);
  assert.equal((await rows()).length, 1);
});

test('a statement that cannot be prepared fails the batch, and is prepared again the next time', async () => {
  const statement = { name: 'read-later', text: 'insert into later values ($1)', values: ['one'] };
  await assert.rejects(send([statement]), { code: '42P01' });
  await client.query('create table later (text text)');
  await send([statement]);
  assert.equal((await client.query('select 1 from later')).rowCount, 1);
});

test('a value that does not fit its column is refused before anything is sent', async () => {
  const tooLarge = columnOf(['amounts', 'bigint', (amount: bigint) => amount], [2n ** 63n]);
  assert.throws(
    () => new StatementBatch([{ name: 'none', text: 'select $1::bigint[]', values: [tooLarge] }]),
    RangeError,
  );
  await send([write(ofText('after'))]);
  assert.equal((await rows()).length, 1);
});

test('a lost connection fails the batch', async () => {
  const lost = await openLane(database.connection);
  const sent = sendTogether(lost, [
    'begin',
    new StatementBatch([{ name: 'wait', text: 'select pg_sleep($1)', values: [30] }]),
    'commit',
  ]);
  lost.connection.stream.destroy();
  for (const { status } of await Promise.allSettled(sent)) assert.equal(status, 'rejected');
});
