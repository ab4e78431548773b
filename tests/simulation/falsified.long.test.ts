// The checks of the simulation can fail: in an environment where all of them hold, one row at a time is falsified directly in the
// database, and its check reports it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKS, type CheckName, type SimulationState } from '../../tools/simulation/checks/checks.ts';
import { type Plan, type PlanOptions, planOf, SHORT } from '../../tools/simulation/plan.ts';
import { runSeed } from '../../tools/simulation/run-seed.ts';
import { isCounted, type OrderScenario, type Scenario } from '../../tools/simulation/scenarios/scenarios.ts';
import { FALSIFICATIONS, type Falsification } from './falsifications.ts';

const OPTIONS: PlanOptions = { size: { ...SHORT, scenarios: 12 }, processes: 1, crashes: false, databases: false };

const isOrder = (scenario: Scenario): scenario is OrderScenario => scenario.kind === 'order';

/** Orders that their clients leave, so that a deadline ends them after a reminder. */
const isLeft = ({ policies }: Plan, { policy, ending, cents, twice }: OrderScenario): boolean => {
  const [rules] = policies.find(({ name }) => name === policy)?.versions ?? [];
  const isReminded = (rules?.remindBefore ?? []).includes('PT5M');
  return ending === 'leave-reserved' && !!rules?.cancelUnfundedAfter && isReminded && cents < 20_000 && twice === 0;
};

/**
 * A seed with many scenarios and with faults, with released orders below 200.00, one of them with a fee, and paid withdrawals whose rows can be falsified, with an order that a deadline
 * cancels, and with dry runs.
 */
const isRich = (seed: number): boolean => {
  const plan = planOf(seed, OPTIONS);
  const scenarios = plan.steps.flatMap((step) => step.scenarios);
  const orders = scenarios.filter(isOrder);
  const released = orders.filter(({ ending, cents }) => ending === 'release' && cents < 20_000);
  const paidOut = scenarios
    .filter((scenario) => scenario.kind === 'withdrawal' && scenario.to !== 'crypto' && scenario.commit !== 'never')
    .filter((scenario) => scenario.cents < 20_000);
  const left = plan.steps[0]!.scenarios.filter(isOrder).filter((order) => isLeft(plan, order));
  const previewed = orders.filter(({ previews, told, twice }) => previews === 50 && told === 0 && twice === 0);
  const hasFaults = plan.steps.some(({ faults }) => faults.length > 2);
  const isCharged = released.some(({ fee }) => fee !== null && fee > 0);
  const isBusy = scenarios.filter(isCounted).length >= 17;
  return (
    isBusy &&
    isCharged &&
    released.length >= 3 &&
    paidOut.length >= 2 &&
    left.length > 0 &&
    previewed.length >= 2 &&
    hasFaults
  );
};

const checkFalsified = async (
  state: SimulationState,
  { check, what, says, falsify, restore }: Falsification,
): Promise<void> => {
  for (const statement of falsify) await state.environment.sql(statement);
  const found = await CHECKS[check].run(state);
  for (const statement of restore) await state.environment.sql(statement);
  assert.match(found.join('\n'), says, `${check} notices ${what}`);
  assert.deepEqual(await CHECKS[check].run(state), [], `${check} holds again after ${what}`);
};

test('a marketplace under faults passes every check, and each check reports its falsified row', async () => {
  const checked = new Set<CheckName>();
  const seed = Array.from({ length: 20_000 }, (_, at) => at).find(isRich);
  assert.ok(seed !== undefined);
  const { scenarios, checks, faults } = await runSeed(seed, {
    ...OPTIONS,
    async atEnd(state) {
      for (const falsification of FALSIFICATIONS) {
        await checkFalsified(state, falsification);
        checked.add(falsification.check);
      }
      // An unexpected answer: a table is missing for a moment.
      const { client } = state.environment.places[0]!;
      await state.environment.sql('alter table disputes rename to disputes_gone');
      await client.disputes
        .list({}, { maxRetries: 0 })
        .toArray({ max: 1 })
        .catch(() => null);
      await state.environment.sql('alter table disputes_gone rename to disputes');
      assert.match((await CHECKS.answers.run(state)).join('\n'), /unexpected internal error/);
      checked.add('answers');
    },
  });
  assert.deepEqual([...checked].sort(), Object.keys(CHECKS).sort());
  assert.ok(scenarios >= 15 && checks >= 18 && faults > 0, JSON.stringify({ scenarios, checks, faults }));
});
