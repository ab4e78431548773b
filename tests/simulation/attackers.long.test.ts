// The attackers of the simulation: a seed in which all of them act beside faults passes every check, and each of them was refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTACKERS } from '../../tools/simulation/attackers/cast.ts';
import { LONG, type PlanOptions, planOf, SHORT } from '../../tools/simulation/plan.ts';
import { runSeed } from '../../tools/simulation/run-seed.ts';

const OPTIONS: PlanOptions = { size: SHORT, processes: 1, crashes: false, databases: false };

test('every attacker acts in some step of many seeds, and some steps have none', () => {
  const steps = Array.from({ length: 20 }, (_, seed) => planOf(seed, { ...OPTIONS, size: LONG }).steps).flat();
  for (const name of ATTACKERS) assert.ok(steps.some(({ attackers }) => attackers.includes(name)));
  assert.ok(steps.some(({ attackers }) => attackers.length === 0));
});

test('beside an adversarial tenant, a hint flood, a hostile reader and a stream hoarder every check holds', async () => {
  const seed = Array.from({ length: 200 }, (_, at) => at).find((each) => {
    const { steps } = planOf(each, OPTIONS);
    const orders = steps.flatMap(({ scenarios }) => scenarios).filter(({ kind }) => kind === 'order');
    return steps.every(({ attackers }) => attackers.length === ATTACKERS.length) && orders.length >= 8;
  });
  assert.ok(seed !== undefined);
  const { attempts, checks } = await runSeed(seed, OPTIONS);
  assert.ok(checks >= 18);
  assert.deepEqual(Object.keys(attempts).sort(), [...ATTACKERS].sort());
  // What each of them wanted most: a payout, a foreign record or a write, and one stream too many.
  for (const name of ['adversarial tenant', 'hostile reader', 'stream hoarder']) {
    assert.ok(attempts[name]!.refused > 0, `${name}: ${JSON.stringify(attempts[name])}`);
  }
  const { acknowledged, refused } = attempts['hint flood']!;
  assert.ok(acknowledged + refused > 0);
});
