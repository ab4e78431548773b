// Migration 0009 on a database of the version before: the open withdrawals through the payment provider become promises of the float.

import assert from 'node:assert/strict';
import { copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { MIGRATIONS, migrate } from '../../server/src/commit/migrate.ts';
import { openEmptyDatabase } from './empty-database.ts';

/** Marketplace, status, amount, what was paid of it, and whether it is paid over the ledger. */
const WITHDRAWALS: readonly (readonly [string, string, number, number, boolean])[] = [
  ['mkt_a', 'WITHDRAWAL_CREATED', 100, 0, false],
  ['mkt_a', 'WITHDRAWAL_COMMITTED', 200, 50, false],
  ['mkt_a', 'WITHDRAWAL_PENDING', 1_000, 0, false],
  ['mkt_a', 'WITHDRAWAL_PENDING_USER_ACTION', 10_000, 0, false],
  ['mkt_a', 'WITHDRAWAL_COMMITTED', 7, 0, true],
  ['mkt_a', 'WITHDRAWAL_COMPLETED', 7, 7, false],
  ['mkt_b', 'WITHDRAWAL_CREATED', 30, 0, false],
  ['mkt_c', 'WITHDRAWAL_FAILED', 7, 0, false],
  ['mkt_c', 'WITHDRAWAL_CANCELED', 7, 0, false],
];

const INSERT = `insert into withdrawals (marketplace_id, id, version, user_id, amount, currency, status, destination_type, address,
    email, wallet_id, paid, completed_at, created_at, updated_at)
  values ($1, $2, 1, 'usr_1', $4, 'USD', $3, case when $6 then 'crypto' else 'bank' end, case when $6 then 'G' end,
    case when not $6 then 'a@b.example' end, case when $6 then 'wlt_1' end, $5,
    case when $3 = 'WITHDRAWAL_COMPLETED' then now() end, now(), now())`;

test('0009 gives each marketplace with open payouts a float that promises the rest of them', async (t) => {
  const { pool, folder } = await openEmptyDatabase(t);
  const before = (await readdir(MIGRATIONS)).filter((name) => name < '0009').sort();
  assert.equal(before.length, 8);
  for (const name of before) await copyFile(path.join(MIGRATIONS, name), path.join(folder, name));
  await migrate({ pool, folder });
  for (const [index, row] of WITHDRAWALS.entries()) {
    const [marketplaceId, ...more] = row;
    await pool.query(INSERT, [marketplaceId, `wdr_${index}`, ...more]);
  }

  const { applied } = await migrate({ pool, folder: MIGRATIONS });
  assert.equal(applied[0], '0009_floats');
  const { rows } = await pool.query(`select marketplace_id as place, pending_payouts::integer as promised,
      allotted::integer as allotted, credit_line::integer as line, version from floats order by 1`);
  const row = { allotted: 0, line: 0, version: 1 };
  assert.deepEqual(rows, [
    { place: 'mkt_a', promised: 11_250, ...row },
    { place: 'mkt_b', promised: 30, ...row },
  ]);
});
