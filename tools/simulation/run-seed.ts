// Carries out one seed: opens its environment, lives its steps with their faults and kills, lets everything settle, and looks at all
// that has to be true. What is found wrong is thrown with everything that is needed to find out why.

import { type Actor, live, openActor } from './actors.ts';
import { beginAttacks, judgeAttacks, openCast } from './attackers/attackers.ts';
import type { Cast } from './attackers/cast.ts';
import { missingAlerts } from './checks/breaks.ts';
import { type Finding, runChecks, type SimulationState } from './checks/checks.ts';
import { overdueDeadlines } from './checks/deadlines.ts';
import { lastPositions } from './checks/events.ts';
import { comparedPreviews } from './checks/previews.ts';
import { openWork } from './checks/rest.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { finishScenario } from './finish.ts';
import { type Outcome, openJournal } from './journal.ts';
import { openListeners } from './listeners.ts';
import { type Plan, type PlanOptions, planOf, type Step } from './plan.ts';
import { operate, publishPolicies } from './policies/operator.ts';
import { randomOf } from './random.ts';
import type { ScenarioRecord } from './records.ts';
import { restoreAndGoOn } from './restore.ts';
import { retryUntil } from './retry.ts';
import { isCounted } from './scenarios/scenarios.ts';
import { createUsers } from './users.ts';

export type Figures = {
  readonly seed: number;
  readonly scenarios: number;
  readonly orders: number;
  readonly steps: number;
  readonly faults: number;
  readonly serverCrashes: number;
  readonly simulatorsCrashes: number;
  readonly databaseCrashes: number;
  readonly restores: number;
  /** Archives that were made and put back while the marketplaces lived, and archivers that were killed. */
  readonly archives: number;
  readonly archiverCrashes: number;
  /** Deadlines that passed and reminders that were sent, and dry runs that were compared with their request. */
  readonly deadlines: number;
  readonly previews: number;
  readonly checks: number;
  readonly calls: Record<Outcome, number>;
  /** What attackers tried, by attacker. */
  readonly attempts: Readonly<Record<string, Record<Outcome, number>>>;
  readonly webhooks: { delivered: number; twice: number; late: number; repeated: number; forged: number };
  readonly events: number;
  /** How often reconciliation looked, asked to while all was under way. */
  readonly reconciliations: number;
  readonly durationMs: number;
};

export type Progress = (now: { seed: number; step: string; scenarios: number; checks: number }) => void;

type Failing = { readonly plan: Plan; readonly step: string; readonly findings: readonly Finding[]; tail: string[] };

const FOUND_MAX = 12;

class SimulationFailure extends Error {
  readonly failing: Failing;
  constructor(failing: Failing, options: { command: string; said: string }) {
    const { plan, step, findings, tail } = failing;
    const found = findings.flatMap(({ check, found: all }) => [
      `  ${check}: ${all.length} found`,
      ...all.slice(0, FOUND_MAX).map((one) => `    ${one}`),
    ]);
    super(
      [
        `seed ${plan.seed} failed at ${step}`,
        ...found,
        'the end of the journal:',
        ...tail.map((line) => `  ${line}`),
        ...(options.said ? ['what the servers said:', options.said] : []),
        `again: ${options.command}`,
      ].join('\n'),
    );
    this.failing = failing;
  }
}

const errorsIn = (said: string): string =>
  said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .slice(-20)
    .join('\n');

type SeedOptions = PlanOptions & {
  readonly onProgress?: Progress;
  /** Called with everything at rest and looked at, before the environment is closed. */
  readonly atEnd?: (state: SimulationState) => Promise<void>;
};

const commandOf = (
  seed: number,
  { processes, crashes, databases, restores, archives, size, faults }: PlanOptions,
): string =>
  `npm run simulate -- --seed ${seed} --processes ${processes}${crashes ? ' --crashes' : ''}${crashes && !databases ? ' --keep-database' : ''}${restores ? ' --restores' : ''}${archives ? ' --archives' : ''} --steps ${size.steps} --lives ${size.scenarios} --people ${size.users}${faults ? ` --faults '${faults.join()}'` : ''}`;

type StepOptions = { readonly step: Step; readonly cast: Cast };

/** Whatever is under way when the clock moves is under way at another time. */
const runStep = async ({ environment, actor }: SimulationState, { step, cast }: StepOptions): Promise<number> => {
  for (const fault of step.faults) await environment.simulators.sendControl('POST /faults', fault);
  environment.arm(step.kills);
  const scenarios = Promise.all(step.scenarios.map((scenario) => live(scenario, actor)));
  const attacks = beginAttacks({ environment, cast, actor }, { step, over: scenarios });
  const operating = operate({ environment, actor }, { acts: step.acts, over: scenarios });
  const archiving = step.archive ? environment.archives.create(step.archive) : Promise.resolve();
  await environment.webhookRelay.repeat(step.repeats);
  if (step.advanceS > 0) await environment.simulators.sendControl('POST /clock/advance', { seconds: step.advanceS });
  if (step.reconciles) await environment.reconcile();
  await Promise.all([scenarios, ...attacks, operating, archiving]);
  await environment.disarm();
  if (step.archive) await environment.archives.restore(step.archive);
  const left = (await environment.simulators.sendControl('GET /faults')).faults as { count: number }[];
  const armed = step.faults.reduce((sum, { count }) => sum + count, 0);
  await environment.simulators.sendControl('DELETE /faults');
  await environment.webhookRelay.deliverHeld();
  return armed - left.reduce((sum, { count }) => sum + count, 0);
};

const COUNTS = `select count(*)::int as events,
  count(*) filter (where event_type like 'order.deadline\\_%')::int as deadlines from events`;

const DEPOSITED = 'select coalesce(sum(amount), 0)::text as units from deposits where user_id is not null';

/** A job of a killed server stays taken for a while, and no other server runs it. */
const mayDelayJobs = ({ counts }: Environment): boolean => counts.servers + counts.databases > 0;

/** "No break" proves nothing when no reconciliation ran. */
const hasReconciled = async (environment: Environment): Promise<boolean> => {
  if (mayDelayJobs(environment)) return true;
  const { asked, done } = await environment.reconciliations();
  return asked === 0 || done > 0;
};

const UNSWEPT = `select w.id from wallets w join accounts a on a.marketplace_id = w.marketplace_id
  and a.id like 'wallet:' || w.address || ':USD%' where w.owner = 'platform' and a.balance <> 0`;

/** The job moves fees every ten minutes. Without this step it would sometimes run between two checks of a marketplace at rest. */
const sweepFees = async (environment: Environment): Promise<void> => {
  if (mayDelayJobs(environment)) return;
  await retryUntil(async () => {
    if ((await environment.sql(UNSWEPT)).length === 0) return true;
    await environment.sweepFees();
    return false;
  }, 'every fee is in its treasury');
};

/** Longer than every duration of a policy and every extension. */
const LAST_JUMP_S = 100 * 86_400;

const settle = async ({ environment, actor, listeners }: SimulationState): Promise<void> => {
  await retryUntil(async () => {
    await Promise.all(actor.begun.map((record) => finishScenario(record, actor)));
    return actor.begun.every(({ id, hasEnded }) => id === null || hasEnded);
  }, 'every scenario has come to its end');
  await environment.deadlineClock.advance(LAST_JUMP_S);
  await retryUntil(async () => {
    await environment.deadlineClock.followAll();
    return (await overdueDeadlines(environment)).length === 0;
  }, 'every deadline has passed');
  const deposited = depositsOf(actor);
  await retryUntil(async () => {
    const [row] = await environment.sql(DEPOSITED);
    return BigInt(row.units) === deposited;
  }, 'every deposit is seen');
  await retryUntil(async () => (await openWork(environment)).length === 0, 'nothing is under way');
  await sweepFees(environment);
  await retryUntil(async () => (await openWork(environment)).length === 0, 'nothing is under way');
  await retryUntil(async () => {
    if ((await missingAlerts(environment)).length === 0) return true;
    await environment.pollEnded();
    return false;
  }, 'every late payment is found');
  await retryUntil(async () => hasReconciled(environment), 'reconciliation has looked');
  await listeners.caughtUp(await lastPositions(environment));
};

const depositsOf = ({ effects, deposits }: Actor): bigint =>
  effects.filter(({ tag }) => deposits.has(tag)).reduce((sum, { available }) => sum + available, 0n);

const crashesOf = ({ counts, archives }: Environment) => ({
  serverCrashes: counts.servers,
  simulatorsCrashes: counts.simulatorSets,
  databaseCrashes: counts.databases,
  archiverCrashes: archives.counts.killed,
});

/** Users, attackers and the first versions of the policies. */
const begin = async (environment: Environment): Promise<{ actor: Actor; cast: Cast }> => {
  const actor = openActor(environment, await createUsers(environment));
  const cast = await openCast(environment);
  await publishPolicies(environment, 1);
  return { actor, cast };
};

const countsOf = async (state: SimulationState) => {
  const [{ events, deadlines }] = await state.environment.sql(COUNTS);
  const { done: reconciliations } = await state.environment.reconciliations();
  return { events, deadlines, reconciliations, previews: await comparedPreviews(state) };
};

export const runSeed = async (seed: number, options: SeedOptions): Promise<Figures> => {
  const begunAt = performance.now();
  const plan = planOf(seed, options);
  const journal = openJournal();
  const environment = await openEnvironment(plan, { journal });
  const listeners = openListeners(environment.places, randomOf(seed, 'listeners'));
  let checks = 0;
  let faults = 0;
  let step = 'the beginning';

  const fail = (findings: readonly Finding[]): never => {
    const said = errorsIn(environment.said());
    throw new SimulationFailure(
      { plan, step, findings, tail: journal.tail(JSON.stringify(findings)) },
      { command: commandOf(seed, options), said },
    );
  };

  try {
    const { actor, cast } = await begin(environment);
    const state: SimulationState = { environment, actor, listeners };
    const counted = (): ScenarioRecord[] =>
      actor.begun.filter(({ scenario, id }) => id !== null && isCounted(scenario));
    const look = async (when: 'always' | 'end'): Promise<void> => {
      const { checks: done, findings } = await runChecks(state, when);
      checks += done;
      if (findings.length > 0) fail(findings);
      options.onProgress?.({ seed, step, scenarios: counted().length, checks });
    };
    for (const [number, each] of plan.steps.entries()) {
      step = `step ${number + 1} of ${plan.steps.length}`;
      if (number === plan.republishAt) await publishPolicies(environment, 2);
      faults += await runStep(state, { step: each, cast });
      await look('always');
      if (number === plan.copyAfter) await environment.copyDatabase();
    }
    step = 'the end';
    await settle(state).catch(async (error: unknown) => {
      const { findings } = await runChecks(state, 'end');
      fail([{ check: 'rest', found: [error instanceof Error ? error.message : String(error)] }, ...findings]);
    });
    await judgeAttacks(environment);
    await look('end');
    await options.atEnd?.(state);
    const counts = await countsOf(state);
    if (plan.copyAfter !== null) {
      step = 'the restore of a backup';
      const findings = await restoreAndGoOn(state);
      checks++;
      if (findings.length > 0) fail(findings);
    }
    return {
      seed,
      checks,
      faults,
      ...counts,
      calls: journal.counts(),
      attempts: journal.attemptCounts(),
      webhooks: { ...environment.webhookRelay.counts },
      ...crashesOf(environment),
      restores: plan.copyAfter === null ? 0 : 1,
      archives: environment.archives.counts.made,
      steps: plan.steps.length,
      scenarios: counted().length,
      orders: counted().filter(({ scenario }) => scenario.kind === 'order').length,
      durationMs: performance.now() - begunAt,
    };
  } catch (error) {
    if (error instanceof SimulationFailure) throw error;
    // Something of the simulation itself, or that took longer than anything may.
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return fail([{ check: 'rest', found: [told] }]);
  } finally {
    await listeners.close();
    await environment.close();
  }
};
