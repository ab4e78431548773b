// The process that follows the ledger is killed: another one takes over, and no deposit is lost or credited twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { MASTER_KEY, startServer } from '../../tools/processes/server-process.ts';
import { faucet, ledgerOf } from '../../tools/simulation/ledger-accounts.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';

const LEADERS = `select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and a.application_name = 'holdfast-leader' and a.datname = current_database()`;

const call = async (url: string, { path, body }: { path: string; body?: unknown }) => {
  const { status, text } = await httpRequest(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(status < 300, text);
  return JSON.parse(text).data;
};

test('when the process that follows the ledger is killed, another one takes over and credits each deposit once', async (t) => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  const sandbox = await startSandbox({ port: 0 });
  afterwards(t, () => sandbox.close());
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  pool.on('error', () => {});
  afterwards(t, () => pool.end());
  const env = {
    DATABASE_URL: urlOf(database.connection),
    LEDGER_URL: sandbox.urls.ledger,
    LEDGER_RATE_PER_MINUTE: '0',
    DEPOSIT_POLL_S: '1',
  };
  const start = async () => startServer(t, { dataDir: await temporaryFolder(t), env });
  const leader = async (): Promise<number | undefined> => (await pool.query(LEADERS)).rows[0]?.pid;

  const first = await start();
  await until(async () => (await leader()) !== undefined, 'the first server leads');
  const before = await leader();
  const second = await start();
  const userId = (await call(first.url, { path: '/users', body: { externalUserId: 'ann' } })).id;
  const { address } = (
    await pool.query<{ address: string }>('select address from wallets where user_id = $1', [userId])
  ).rows[0]!;
  // The account is created by an outsider: the wallet does not have to be active to receive money.
  assert.ok((await fetch(`${sandbox.urls.ledger}/friendbot?addr=${address}`)).ok);
  const available = async (): Promise<string> =>
    (await call(second.url, { path: `/users/${userId}/balance?currency=XLM` })).available;
  await until(async () => (await available()) === '10000.00');

  await first.kill('SIGKILL');
  const ledger = ledgerOf(sandbox);
  assert.ok((await faucet(ledger, { address, asset: 'XLM', amount: '25' })).hash);
  await until(async () => (await available()) === '10025.00');
  assert.notEqual(await leader(), before);
  const deposits = await pool.query('select 1 from deposits where user_id = $1', [userId]);
  assert.equal(deposits.rowCount, 2);
});
