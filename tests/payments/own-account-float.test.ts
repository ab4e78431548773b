// The money at an own account in the books: opened with the first payment, compared with the provider's balance of that account alone,
// and never a share of the account that the other marketplaces use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../server/src/config/config.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import { createPaymentAccounts } from '../../server/src/modules/provider-credentials/payment-accounts.ts';
import { createCredentialReads } from '../../server/src/modules/provider-credentials/queries.ts';
import { createBreaks, type SeenBreak } from '../../server/src/modules/reconciliation/breaks.ts';
import { reconcile } from '../../server/src/modules/reconciliation/jobs.ts';
import { createOwnBreaks } from '../../server/src/modules/reconciliation/own-floats.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { openProviders } from '../../server/src/providers/providers.ts';
import { codeOf, MASTER_KEY, WALLET_KEKS } from '../support/app.ts';
import { assertProof } from '../support/checks.ts';
import { NO_WALLETS } from '../support/no-wallets.ts';
import { accountOf, type OwnAccountFixture, openOwnAccount } from './own-account-fixture.ts';

/** Runs the comparison of the own account of this marketplace, as the job does. */
const compareOwn = async ({ app, env }: OwnAccountFixture) => {
  const pool = openPool(app.connection, { max: 2, onError() {} });
  const read = readConfig(env);
  assert.ok(read.ok);
  const reads = createCredentialReads(pool);
  const providers = openProviders(read.config, { sandboxUrl: null });
  const keeper = keepKeks(WALLET_KEKS);
  const seen: SeenBreak[] = [];
  const notCompared: string[] = [];
  const job = reconcile({
    ...NO_WALLETS,
    breaks: createBreaks(pool),
    ownBreaks: createOwnBreaks({
      accounts: createPaymentAccounts({ providers, reads, keeper, overlapMs: 0 }),
      listAccounts: async () => (await reads.accounts()).filter((one) => one.marketplaceId === app.marketplaceId),
      reads: createFloatReads(pool),
      onNotCompared: (reason) => void notCompared.push(reason),
    }),
    onBreak: (one) => void seen.push(one),
  });
  try {
    await job.run();
    return { seen, notCompared };
  } finally {
    await pool.end();
  }
};

const floatsOf = async ({ app }: OwnAccountFixture): Promise<Record<string, string>> => {
  const rows = await app.sql(
    `select id, (-balance / 100000)::text as cents from accounts where id like 'payment-float%'
     and marketplace_id = $1 order by id`,
    [app.marketplaceId],
  );
  return Object.fromEntries(rows.map(({ id, cents }) => [id, cents]));
};

test('what the account held before the first payment is booked once, in its own marketplace', async (t) => {
  const fixture = await openOwnAccount(t);
  const account = await accountOf(fixture);
  const { id } = await fixture.aTopup({ body: { amount: '40.00' } });
  assert.deepEqual(await floatsOf(fixture), { [`payment-float:${account}:USD`]: '50000' });
  await fixture.pay(id, 'confirm');
  await fixture.aTopup({ body: { amount: '1.00' } });
  assert.deepEqual(await floatsOf(fixture), { [`payment-float:${account}:USD`]: '54000' });
  assert.deepEqual(await compareOwn(fixture), { seen: [], notCompared: [] });
  await assertProof(fixture.app, fixture.app.marketplaceId);
});

test('a difference at the own account is a break of its own marketplace, with its own figures', async (t) => {
  const fixture = await openOwnAccount(t);
  const { id } = await fixture.aTopup({ body: { amount: '40.00' } });
  await fixture.pay(id, 'confirm');
  await fixture.payBehindTheBooks(7);
  const { seen } = await compareOwn(fixture);
  assert.deepEqual(
    seen.map(({ marketplaceId, kind, subject }) => [marketplaceId, kind, subject]),
    [[fixture.app.marketplaceId, 'payment-float', await accountOf(fixture)]],
  );
  const { body } = await fixture.app.call('GET /reconciliation/breaks?open=true');
  assert.deepEqual(
    body.data.data.map(({ expected, actual }: { expected: string; actual: string }) => [expected, actual]),
    [['540.0000000', '547.0000000']],
  );
});

test('money at the own account is no share of the shared one: after the removal it cannot be paid from there', async (t) => {
  const fixture = await openOwnAccount(t);
  const { app } = fixture;
  const topup = await fixture.aTopup({ body: { amount: '40.00' } });
  await fixture.pay(topup.id, 'confirm');
  const paid = await fixture.aWithdrawal({ userId: await fixture.aPayee(), body: { amount: '30.00', commit: true } });
  await fixture.untilPayout(paid.id, 'COMMITTED');
  await fixture.move(paid.id, 'complete');
  await fixture.untilStatus(paid.id, 'WITHDRAWAL_COMPLETED');
  await fixture.master('DELETE');
  const noLine = { amount: '0.00', currency: 'USD' };
  await app.call(`PUT /marketplaces/${app.marketplaceId}/credit-line`, { key: MASTER_KEY, body: noLine });
  const userId = await fixture.aPayee();
  const body = { userId, amount: '30.00', currency: 'USD', destination: { type: 'bank' } };
  const refused = await app.call('POST /withdrawals', { body });
  assert.equal(codeOf(refused), '422 INSUFFICIENT_FUNDS');
  assert.equal(refused.body.error.details.float.held, '0.00');
  assert.deepEqual(await compareOwn(fixture), { seen: [], notCompared: [] }, 'the former account is still compared');
  await assertProof(app, app.marketplaceId);
});

test('a payout beyond the balance of the own account is refused by the provider, and the money is back', async (t) => {
  const fixture = await openOwnAccount(t);
  const before = fixture.sharedBalance();
  const userId = await fixture.aPayee({ available: '900.00' });
  const { id } = await fixture.aWithdrawal({ userId, body: { amount: '600.00', commit: true } });
  await fixture.untilStatus(id, 'WITHDRAWAL_FAILED');
  assert.equal(await fixture.balance(userId), '900.00 + 0.00');
  assert.deepEqual([fixture.enterprise().available, fixture.sharedBalance()], ['500.00', before]);
  assert.deepEqual(await compareOwn(fixture), { seen: [], notCompared: [] });
});

test('the reports count the money at own accounts, former ones too, beside that at the shared account', async (t) => {
  const fixture = await openOwnAccount(t, { isSet: false });
  const { app } = fixture;
  const topUp = async (amount: string): Promise<void> => {
    const { id } = await fixture.aTopup({ body: { amount } });
    await fixture.pay(id, 'confirm');
    assert.equal(await fixture.topupStatus(id), 'TOPUP_SUCCEEDED');
  };
  await topUp('1.00');
  await fixture.setOwn();
  await topUp('20.00');
  await fixture.rotateOwn();
  await topUp('300.00');
  await fixture.master('DELETE');
  await topUp('4.00');
  const { body: activity } = await app.call('GET /reports/activity?days=2');
  assert.deepEqual([activity.data.days.at(-1).toppedUp, activity.data.totals.toppedUp], ['325.00', '325.00']);
  const { body: money } = await app.call('GET /reports/money');
  const [{ holdings, difference }] = money.data.currencies;
  const atProvider = holdings.find(({ place }: { place: string }) => place === 'payment_float');
  // The own account held 500.00 before the first payment.
  assert.deepEqual([Number(atProvider.amount), Number(difference)], [825, 0]);
});

test('the operator can take back all of the shared float of a marketplace that has an own account by now', async (t) => {
  const fixture = await openOwnAccount(t, { isSet: false });
  const { app, aTopup, pay } = fixture;
  const topup = await aTopup({ body: { amount: '40.00' } });
  await pay(topup.id, 'confirm');
  const takeBack = () =>
    app.call(`POST /marketplaces/${app.marketplaceId}/float`, {
      key: MASTER_KEY,
      body: { amount: '-40.00', currency: 'USD' },
    });
  assert.equal((await takeBack()).status, 422, 'the deposit stays while payouts can use it');
  await fixture.setOwn();
  const taken = await takeBack();
  assert.equal(taken.status, 201, taken.text);
});
