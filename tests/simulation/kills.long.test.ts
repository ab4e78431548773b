// A small seed of the simulation with kills of servers and of the simulators. One without kills is in falsified.test.ts; `npm run simulate`
// runs many and larger ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlanOptions, planOf, SHORT } from '../../tools/simulation/plan.ts';
import { runSeed } from '../../tools/simulation/run-seed.ts';

test('a marketplace whose servers and simulators are killed passes every check', async () => {
  // A PostgreSQL of its own takes longer to make than all of these lives.
  const options: PlanOptions = { size: SHORT, processes: 2, crashes: true, databases: false };
  const seed = Array.from({ length: 100 }, (_, at) => at).find((each) => {
    const { hasCrashes, steps } = planOf(each, options);
    // Early enough for so few lives to come there.
    return hasCrashes && steps.some(({ kills }) => kills.some((kill) => kill.what === 'server' && kill.at < 20));
  });
  assert.ok(seed !== undefined);
  const { scenarios, serverCrashes } = await runSeed(seed, options);
  assert.ok(scenarios >= 10 && serverCrashes > 0, JSON.stringify({ seed, scenarios, serverCrashes }));
});
