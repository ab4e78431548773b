// The plans that seeds of the simulation produce. falsified.long.test.ts runs a small seed, and kills.long.test.ts one with kills.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../sandbox/src/faults-table.ts';
import { LONG, type PlanOptions, planOf } from '../../tools/simulation/plan.ts';
import { ENDINGS, type OrderScenario } from '../../tools/simulation/scenarios/scenarios.ts';

test('the plan of a seed depends on the seed alone', () => {
  const options: PlanOptions = { size: LONG, processes: 3, crashes: true, databases: true };
  for (const seed of [1, 2, 77]) assert.deepEqual(planOf(seed, options), planOf(seed, options));
  assert.notDeepEqual(planOf(1, options), planOf(2, options));
});

test('a seed ends with a restore only when asked, after the same steps, and forgets at least one of them', () => {
  const options: PlanOptions = { size: LONG, processes: 2, crashes: true, databases: true };
  const copies = Array.from({ length: 40 }, (_, seed) => {
    const { copyAfter, ...plan } = planOf(seed, { ...options, restores: true });
    assert.deepEqual({ ...plan, copyAfter: null }, planOf(seed, options));
    return copyAfter;
  });
  assert.deepEqual([...new Set(copies)].sort(), [0, 1, 2, null]);
});

test('the past is archived only when asked, in the same steps, and the archiver is killed at each of its steps', () => {
  const options: PlanOptions = { size: LONG, processes: 2, crashes: true, databases: true };
  const archives = Array.from({ length: 40 }, (_, seed) => {
    const { steps, ...plan } = planOf(seed, { ...options, archives: true });
    const plain = steps.map((step) => ({ ...step, archive: null }));
    assert.deepEqual({ ...plan, steps: plain }, planOf(seed, options));
    return steps.flatMap(({ archive }) => archive ?? []);
  }).flat();
  const kills = new Set(archives.flatMap(({ killAt, restoreKillAt }) => [killAt, restoreKillAt]));
  const every = ['exported', 'removed', 'removing', 'renamed', 'restored', 'restoring', 'sealed'];
  assert.deepEqual([...kills].filter((step) => step !== null).sort(), every);
});

test('seeds have every ending, every number of milestones, every kind of fault and every kind of kill', () => {
  const options: PlanOptions = { size: LONG, processes: 2, crashes: true, databases: true };
  const steps = Array.from({ length: 60 }, (_, seed) => planOf(seed, options).steps).flat();
  const orders = steps
    .flatMap(({ scenarios }) => scenarios)
    .filter((scenario): scenario is OrderScenario => scenario.kind === 'order');
  const seen = (values: readonly unknown[]): string[] => [...new Set(values.map(String))].sort();
  assert.deepEqual(seen(orders.map(({ ending }) => ending)), [...ENDINGS].sort());
  assert.deepEqual(seen(orders.map(({ milestones }) => milestones.length)), ['0', '1', '10', '2', '3', '4', '7']);
  assert.deepEqual(
    seen(steps.flatMap(({ faults }) => faults.map(({ operation }) => operation))),
    Object.keys(OPERATIONS).sort(),
  );
  const kills = steps.flatMap((step) => step.kills);
  assert.deepEqual(seen(kills.map((kill) => (kill.what === 'server' ? kill.when : kill.what))), [
    'after',
    'before',
    'database',
    'simulators',
  ]);
  for (const { milestones, cents } of orders) {
    if (milestones.length > 0)
      assert.equal(
        milestones.reduce((sum, each) => sum + each, 0),
        cents,
      );
  }
});
