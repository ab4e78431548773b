// The provider's balance compared with the books while payments are in progress. A missing webhook is not a break, and a real
// difference is found in spite of open payments.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { payBehindTheBooks } from './payment-float.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';

/** A provider that sends no webhooks. */
const openSilent = (t: TestContext) => openWithdrawals(t, { webhooks: false });

type SilentFixture = Awaited<ReturnType<typeof openSilent>>;

/** One pay-in and one payout, both completed at the provider and not yet in the books. */
const bothOnTheirWay = async (fixture: SilentFixture): Promise<{ topupId: string; withdrawalId: string }> => {
  const { id: topupId } = await fixture.aTopup({ body: { amount: '40.00' } });
  const { id: withdrawalId } = await fixture.aWithdrawal({ body: { commit: true } });
  await fixture.untilPayout(withdrawalId, 'COMMITTED');
  await fixture.pay(topupId, 'confirm');
  await fixture.move(withdrawalId, 'complete');
  return { topupId, withdrawalId };
};

const openBreaks = async ({ app }: SilentFixture): Promise<string[]> =>
  (await app.sql('select difference from breaks where resolved_at is null')).map(({ difference }) => difference);

test('no break is opened for completed payments whose webhooks have not arrived', async (t) => {
  const fixture = await openSilent(t);
  const { topupId, withdrawalId } = await bothOnTheirWay(fixture);
  const { seen, books, held } = await fixture.reconcileFloat();
  assert.notEqual(books, held, 'the webhooks have not arrived');
  assert.deepEqual([seen, await openBreaks(fixture)], [[], []]);
  await fixture.app.call(`POST /topups/${topupId}/refresh`);
  await fixture.refresh(withdrawalId);
  await fixture.assertSettled();
});

test('a real difference is found in spite of payments whose webhooks have not arrived', async (t) => {
  const fixture = await openSilent(t);
  await bothOnTheirWay(fixture);
  // The same amount as the top-up: the open top-up could explain it, but the provider's record of it does not.
  const { id } = await fixture.aTopup({ body: { amount: '7.00' } });
  await payBehindTheBooks(fixture, 7);
  assert.deepEqual((await fixture.reconcileFloat()).seen, ['7.0000000']);
  assert.deepEqual(await openBreaks(fixture), ['7.0000000']);
  await fixture.pay(id, 'confirm');
  assert.deepEqual((await fixture.reconcileFloat()).seen, ['7.0000000'], 'the same one, and not fourteen');
});
