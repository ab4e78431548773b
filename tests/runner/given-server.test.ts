// Tests on a server that runs already (TEST_DATABASE_URL): they get a template of their own, and nothing of theirs stays on the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlOf } from '../../tools/cluster/database.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { aside } from '../../tools/test-database/aside.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { prepareGivenServer } from '../../tools/test-database/given-server.ts';

const ROLE = 'without_rights';

test('the databases of a run begin with its own prefix, are migrated, and are gone after the stop', async (t) => {
  const { connection, drop } = await createDatabase({ empty: true });
  afterwards(t, drop);
  const own = async (prefix: string): Promise<number> =>
    (await aside(connection, 'select 1 from pg_database where starts_with(datname, $1)', [`${prefix}_`])).rows.length;
  const { prefix, template, strategy, stop } = await prepareGivenServer(urlOf(connection));
  afterwards(t, stop);
  const name = `${prefix}_left`;
  await aside(connection, `create database ${name} template ${template} strategy ${strategy}`);
  const { rows } = await aside({ ...connection, database: name }, 'select 1 from schema_migrations limit 1');
  assert.equal(rows.length, 1);
  assert.equal(await own(prefix), 2);
  await stop();
  assert.equal(await own(prefix), 0);
});

test('a role that may not create databases is refused, and nothing is created', async (t) => {
  const { connection, drop } = await createDatabase({ empty: true });
  afterwards(t, drop);
  await aside(connection, `create role ${ROLE} login`);
  afterwards(t, () => aside(connection, `drop role ${ROLE}`));
  await assert.rejects(prepareGivenServer(urlOf({ ...connection, user: ROLE })), {
    message: 'The server of TEST_DATABASE_URL cannot be used: its role may not create databases.',
  });
});
