// Small seeds of the simulation: one with kills of servers and of the simulators, one that ends with a restore, and one whose past is
// archived while it lives. falsified.long.test.ts has one without kills, and `npm run simulate` runs many larger ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlanOptions, planOf, SHORT } from '../../tools/simulation/plan.ts';
import { runSeed } from '../../tools/simulation/run-seed.ts';

test('a marketplace whose servers and simulators are killed passes every check', async () => {
  // Without kills of PostgreSQL: its own PostgreSQL would take longer to create than all of these scenarios take to run.
  const options: PlanOptions = { size: SHORT, processes: 2, crashes: true, databases: false };
  const seed = Array.from({ length: 100 }, (_, at) => at).find((each) => {
    const { hasCrashes, steps } = planOf(each, options);
    // Early enough that so few scenarios reach the kill.
    return hasCrashes && steps.some(({ kills }) => kills.some((kill) => kill.what === 'server' && kill.at < 20));
  });
  assert.ok(seed !== undefined);
  const { scenarios, serverCrashes } = await runSeed(seed, options);
  assert.ok(scenarios >= 10 && serverCrashes > 0, JSON.stringify({ seed, scenarios, serverCrashes }));
});

test('a marketplace that is restored from the middle of its run pays nothing twice', async () => {
  const options: PlanOptions = { size: SHORT, processes: 1, crashes: false, databases: false, restores: true };
  const seed = Array.from({ length: 100 }, (_, at) => at).find((each) => planOf(each, options).copyAfter !== null);
  assert.ok(seed !== undefined);
  assert.equal((await runSeed(seed, options)).restores, 1);
});

test('a marketplace whose past is archived while it lives passes every check, and every row comes back', async () => {
  const options: PlanOptions = { size: SHORT, processes: 2, crashes: false, databases: false, archives: true };
  const seed = Array.from({ length: 100 }, (_, at) => at).find((each) =>
    planOf(each, options).steps.every(({ archive }) => archive !== null),
  );
  assert.ok(seed !== undefined);
  assert.ok((await runSeed(seed, options)).archives > 0);
});
