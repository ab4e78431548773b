// The provider's balance compared with the books under constant traffic, during an outage and with wrong amounts. float-breaks.test.ts
// has payments whose webhooks are missing.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { unknown } from '../../server/src/base/answer.ts';
import type { PaymentProvider } from '../../server/src/providers/ports.ts';
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

/** Just before and just after the balance is read, one more payment completes without a webhook. */
const underTraffic =
  (fixture: SilentFixture, topups: string[]) =>
  (payment: PaymentProvider): PaymentProvider => ({
    ...payment,
    async balance() {
      const next = async (): Promise<void> => void (await fixture.pay(topups.shift()!, 'confirm'));
      await next();
      const answer = await payment.balance();
      await next();
      return answer;
    },
  });

const TRAFFIC = ['1.00', '2.00', '4.00', '8.00', '16.00', '32.00', '64.00', '128.00'];

test('under constant traffic no false break is opened, and a real difference is found', async (t) => {
  const fixture = await openSilent(t);
  const topups: string[] = [];
  const begin = async (): Promise<void> => {
    for (const amount of TRAFFIC) topups.push((await fixture.aTopup({ body: { amount } })).id);
  };
  await begin();
  assert.deepEqual((await fixture.reconcileFloat(underTraffic(fixture, topups))).seen, []);
  assert.deepEqual([topups, await openBreaks(fixture)], [[], []]);
  await payBehindTheBooks(fixture, 0.25);
  await begin();
  assert.deepEqual((await fixture.reconcileFloat(underTraffic(fixture, topups))).seen, ['0.2500000']);
});

test('while the provider does not answer about a payment, no break is opened or resolved', async (t) => {
  const fixture = await openSilent(t);
  await bothOnTheirWay(fixture);
  const cannotSay = (payment: PaymentProvider): PaymentProvider => ({
    ...payment,
    getPayout: async () => unknown('No answer in time.', { code: 'timeout' }),
  });
  assert.deepEqual((await fixture.reconcileFloat(cannotSay)).seen, []);
  await payBehindTheBooks(fixture, 3);
  await fixture.reconcileFloat();
  assert.deepEqual((await fixture.reconcileFloat(cannotSay)).seen, []);
  assert.deepEqual(await openBreaks(fixture), ['3.0000000']);
});

test('a payment over another amount does not count as pending: it will never be booked', async (t) => {
  const fixture = await openSilent(t);
  const { id } = await fixture.aTopup({ body: { amount: '40.00' } });
  await fixture.pay(id, 'confirm');
  const otherwise = (payment: PaymentProvider): PaymentProvider => ({
    ...payment,
    async getPayin(payinId) {
      const found = await payment.getPayin(payinId);
      if (found.kind !== 'yes' || found.value === null) return found;
      return { ...found, value: { ...found.value, amount: (found.value.amount + 1n) as typeof found.value.amount } };
    },
  });
  assert.deepEqual((await fixture.reconcileFloat(otherwise)).seen, ['40.0000000']);
});
