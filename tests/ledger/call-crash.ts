// A crash at one step of a call of an escrow contract, and several processes at the same call: it is made once, the books equal the
// ledger, and no completed call is reported as refused.

import assert from 'node:assert/strict';
import type { Step } from '../../server/src/ledger/transactions/finish-transaction.ts';
import type { CallName } from '../../server/src/modules/escrows/escrow.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { assertBooksEqualLedger, MARKETPLACE, startProcess, type World } from './custody-fixture.ts';
import { type Deal, IMPATIENT, type Scene, sentFrom } from './escrow-fixture.ts';

export const STEPS: readonly Step[] = ['signed', 'recorded', 'submitted', 'looked-up', 'settled'];

/** Makes a call in a process that throws at this step and at every later one. For ledger and books it ends there. */
const crashAt = async (t: Hooks, { world, deal }: Scene, { call, step }: { call: CallName; step: Step }) => {
  let isDead = false;
  const mortal = await startProcess(t, world, {
    ...IMPATIENT,
    onStep(now) {
      if (now === step) isDead = true;
      if (isDead) throw new Error(`crashed at ${step}`);
    },
  });
  const sent = await deal.send(call, { by: mortal }).catch(() => null);
  assert.ok(isDead && sent?.kind !== 'yes');
  await mortal.close();
};

/** The buyer's transactions: the deployment, and every funding. */
export const sentByBuyer = (world: World, { buyer }: Deal): number => sentFrom(world, buyer.address).length;

/** Returns the calls that the escrow row has as made at the end. */
export const crashFunding = async (t: Hooks, scene: Scene, step: Step): Promise<string[]> => {
  const { world, server, deal } = scene;
  await deal.deployed();
  await crashAt(t, scene, { call: 'fund', step });
  const next = await startProcess(t, world, IMPATIENT);
  await next.sender.resumeAll();
  const sent = await deal.send('fund', { by: next });
  // A transaction that was signed and not stored is never sent. A stored one is sent, by the next process at the latest.
  if (step === 'signed') assert.equal(sent.kind, 'yes');
  else assert.ok(sent.kind === 'no' && sent.why === 'superseded');
  assert.equal(sentByBuyer(world, deal), 2, 'a deployment and one funding');
  await assertBooksEqualLedger(server.pool, world.sandbox);
  return deal.calls();
};

/** Returns the number of releases that the escrow row has as made at the end. */
export const crashRelease = async (t: Hooks, scene: Scene, step: Step): Promise<number> => {
  const { world, server, deal } = scene;
  await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  await crashAt(t, scene, { call: 'release', step });
  const next = await startProcess(t, world, IMPATIENT);
  await next.sender.resume({ marketplaceId: MARKETPLACE, source: deal.buyer.address });
  const sent = await deal.send('release', { by: next });
  if (sent.kind !== 'yes') assert.ok(sent.kind === 'no' && sent.why === 'superseded');
  await assertBooksEqualLedger(server.pool, world.sandbox);
  return (await deal.calls()).filter((call) => call === 'release').length;
};

/** Two processes fund the same escrow at once. Returns how many transactions the buyer has on the ledger. */
export const fundTogether = async (t: Hooks, { world, server, deal }: Scene): Promise<number> => {
  await deal.deployed();
  const other = await startProcess(t, world, { timeoutMs: 2_000 });
  // The wallet has the money for one only, so that a second preparation would be refused.
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => deal.send('fund', { by: index % 2 === 0 ? server : other })),
  );
  assert.ok(answers.filter(({ kind }) => kind === 'yes').length <= 1);
  for (const sent of answers) {
    if (sent.kind === 'no') assert.equal(sent.why, 'superseded', sent.reason);
  }
  await until(async () => (await deal.calls()).includes('fund'), 'it is funded');
  await assertBooksEqualLedger(server.pool, world.sandbox);
  return sentByBuyer(world, deal);
};
