// A crash at one step of a call of an escrow contract, and several processes at the same call: it is made once, the books equal the
// ledger, and no completed call is reported as refused.

import assert from 'node:assert/strict';
import type { Step } from '../../server/src/ledger/transactions/finish-transaction.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import type { CallName } from './escrow-fixture.ts';
import { type EscrowFixture, SHORT_TIMEOUT, sentFrom, type TestOrder } from './escrow-fixture.ts';
import { assertBooksEqualLedger, type Environment, MARKETPLACE, startProcess } from './ledger-fixture.ts';

export const STEPS: readonly Step[] = ['signed', 'recorded', 'submitted', 'looked-up', 'settled'];

/** Makes a call in a process that throws at this step and at every later one. For ledger and books it ends there. */
const crashAt = async (
  t: Hooks,
  { environment, order }: EscrowFixture,
  { call, step }: { call: CallName; step: Step },
) => {
  let isDead = false;
  const crashing = await startProcess(t, environment, {
    ...SHORT_TIMEOUT,
    onStep(now) {
      if (now === step) isDead = true;
      if (isDead) throw new Error(`crashed at ${step}`);
    },
  });
  const sent = await order.send(call, { by: crashing }).catch(() => null);
  assert.ok(isDead && sent?.kind !== 'yes');
  await crashing.close();
};

/** The buyer's transactions: the deployment, and every funding. */
export const sentByBuyer = (environment: Environment, { buyer }: TestOrder): number =>
  sentFrom(environment, buyer.address).length;

/** Returns the calls that the escrow row has as made at the end. */
export const crashFunding = async (t: Hooks, fixture: EscrowFixture, step: Step): Promise<string[]> => {
  const { environment, server, order } = fixture;
  await order.deployed();
  await crashAt(t, fixture, { call: 'fund', step });
  const next = await startProcess(t, environment, SHORT_TIMEOUT);
  await next.sender.resumeAll();
  const sent = await order.send('fund', { by: next });
  // A transaction that was signed and not stored is never sent. A stored one is sent, by the next process at the latest.
  if (step === 'signed') assert.equal(sent.kind, 'yes');
  else assert.ok(sent.kind === 'no' && sent.why === 'superseded');
  assert.equal(sentByBuyer(environment, order), 2, 'a deployment and one funding');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return order.calls();
};

/** Returns the number of releases that the escrow row has as made at the end. */
export const crashRelease = async (t: Hooks, fixture: EscrowFixture, step: Step): Promise<number> => {
  const { environment, server, order } = fixture;
  await order.funded();
  await order.make('change-status');
  await order.make('approve');
  await crashAt(t, fixture, { call: 'release', step });
  const next = await startProcess(t, environment, SHORT_TIMEOUT);
  await next.sender.resume({ marketplaceId: MARKETPLACE, source: order.buyer.address });
  const sent = await order.send('release', { by: next });
  if (sent.kind !== 'yes') assert.ok(sent.kind === 'no' && sent.why === 'superseded');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return (await order.calls()).filter((call) => call === 'release').length;
};

/** Two processes fund the same escrow at once. Returns how many transactions the buyer has on the ledger. */
export const fundTogether = async (t: Hooks, { environment, server, order }: EscrowFixture): Promise<number> => {
  await order.deployed();
  const other = await startProcess(t, environment, { timeoutMs: 2_000 });
  // The wallet has the money for one only, so that a second preparation would be refused.
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => order.send('fund', { by: index % 2 === 0 ? server : other })),
  );
  assert.ok(answers.filter(({ kind }) => kind === 'yes').length <= 1);
  for (const sent of answers) {
    if (sent.kind === 'no') assert.equal(sent.why, 'superseded', sent.reason);
  }
  await until(async () => (await order.calls()).includes('fund'), 'it is funded');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return sentByBuyer(environment, order);
};
