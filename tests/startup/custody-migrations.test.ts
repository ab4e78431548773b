// Migrations on a database of the version before: 0020, how a failed transaction ended is a column; 0021, wallets are activated when they
// are needed.

import assert from 'node:assert/strict';
import { copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { MIGRATIONS, migrate } from '../../server/src/commit/migrate.ts';
import { openEmptyDatabase } from './empty-database.ts';

const INSERT = `insert into ledger_transactions (marketplace_id, id, version, source, purpose, envelope, state, valid_until, actions,
    failure, created_at, updated_at)
  values ('mkt_a', $1, 1, $1, 'withdrawal', 'AAAA', $2, now(), '[]', $3, now(), now())`;

const ROWS: readonly (readonly [string, string, string | null, string | null])[] = [
  ['a', 'SIGNED', null, null],
  ['b', 'SUCCEEDED', null, null],
  ['c', 'FAILED', 'rejected: tx_bad_seq', 'rejected'],
  ['d', 'FAILED', 'expired before it was in a ledger', 'expired'],
  ['e', 'FAILED', 'op_underfunded', 'failed'],
];

const WALLETS = `insert into wallets (marketplace_id, id, version, owner, user_id, address, type, sealed_secret, status, is_primary,
    payments_cursor, created_at, updated_at)
  select 'mkt_a', 'wal_' || n, 1, case when n = 1 then 'treasury' else 'user' end, case when n > 1 then 'usr_' || n end, 'G' || n,
    'INVISIBLE', 's', case when n > 2 then 'PENDING' else 'ACTIVE' end, true, '0', now(), now() from generate_series(1, 2000) n`;

test('0020 gives each failed transaction its ending; after 0021 waiting wallets are requested, and few are read', async (t) => {
  const { pool, folder } = await openEmptyDatabase(t);
  for (const name of (await readdir(MIGRATIONS)).filter((each) => each < '0020').sort()) {
    await copyFile(path.join(MIGRATIONS, name), path.join(folder, name));
  }
  await migrate({ pool, folder });
  for (const [id, state, failure] of ROWS) await pool.query(INSERT, [id, state, failure]);
  await pool.query(WALLETS);

  const { applied } = await migrate({ pool, folder: MIGRATIONS });
  assert.equal(applied[0], '0020_transaction_endings');
  const { rows } = await pool.query('select id, ending from ledger_transactions order by id');
  assert.deepEqual(
    rows,
    ROWS.map(([id, , , ending]) => ({ id, ending })),
  );
  await assert.rejects(pool.query("update ledger_transactions set ending = null where id = 'c'"), /ended/);
  const requested = await pool.query('select count(*)::int from wallets where activation_requested_at is not null');
  assert.equal(requested.rows[0].count, 1998);
  await pool.query('analyze wallets');
  // The wallets of users are many: health, metrics and jobs must not read them all.
  for (const few of ["owner = 'treasury'", "owner = 'platform' and status = 'ACTIVE'", "owner <> 'user'"]) {
    const plan = await pool.query(`explain select 1 from wallets where ${few}`);
    assert.match(JSON.stringify(plan.rows), /wallets_of_platform/, few);
  }
});
