// What contracts paid to the platform's wallet comes into the treasury, in the currencies it was earned in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createDepositReads } from '../../server/src/ledger/deposits/queries.ts';
import { createSweep } from '../../server/src/ledger/jobs.ts';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openOrders } from '../support/order-fixture.ts';
import { amount, startProcess } from './ledger-fixture.ts';

test('fees are in the platform wallet after a release, and in the treasury after a sweep; a second sweep moves nothing', async (t) => {
  const fixture = await openOrders(t);
  const { app, anOrder, expect, simulator, atRest, assertSound } = fixture;
  const { id } = await anOrder({ at: 'IN_PROGRESS' });
  await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  await atRest();
  const held = async () => {
    const rows = await app.sql(
      `select w.owner, (-sum(a.balance))::text as units from wallets w
       join accounts a on a.id = 'wallet:' || w.address || ':USD' where w.owner <> 'user' group by 1 order by 1`,
    );
    return Object.fromEntries(rows.map(({ owner, units }) => [owner, BigInt(units)]));
  };
  const before = await held();
  assert.equal(before.platform, 50_000_000n);

  const issuer = (await simulator('GET /state')).network.usdcIssuer;
  const urls = {
    escrow: `${app.sandboxUrl}/escrow-provider`,
    ledger: `${app.sandboxUrl}/ledger`,
    control: `${app.sandboxUrl}/control`,
  };
  const parts = await startProcess(t, { urls, issuer, connection: app.connection }, { fill: null });
  const pool = new pg.Pool({ ...app.connection, max: 1 });
  afterwards(t, () => pool.end());
  const troubles: unknown[] = [];
  const sweep = createSweep({
    ...parts,
    wallets: createWalletReads(pool).platforms,
    reads: createDepositReads(pool),
    fundWallet: parts.fundAsIs,
    feesXlm: amount('1.5'),
    onTrouble: (_, error) => void troubles.push(error),
  });
  await sweep();
  await until(async () => (await held()).platform === 0n, 'the platform has nothing left');
  const after = await held();
  assert.equal(after.treasury, before.treasury! + before.platform!);
  await sweep();
  assert.deepEqual([await held(), troubles], [after, []]);
  await assertSound();
});
