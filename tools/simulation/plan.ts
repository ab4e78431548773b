// What a seed does: how many people, marketplaces and servers there are, and step by step which lives begin, which faults are
// armed, whose process is killed at which commit, and how the clock moves. Nothing here is decided by a clock.

import { OPERATIONS } from '../../sandbox/src/faults-table.ts';
import type { ArchiveStep } from '../../server/src/modules/archives/archiver.ts';
import { ATTACKERS, type AttackerName } from './attackers/cast.ts';
import { type OperatorAct, type PolicyPlan, planActs, planPolicies } from './policies/plan-policies.ts';
import { type Random, randomOf } from './random.ts';
import { planScenario } from './scenarios/plan-scenario.ts';
import type { Scenario } from './scenarios/scenarios.ts';

export type Fault = {
  readonly operation: string;
  readonly fault: string;
  readonly count: number;
  readonly delayMs?: number;
};

export type Kill =
  /** At a commit of that server, counted from the beginning of the step. */
  | { readonly what: 'server'; readonly which: number; readonly at: number; readonly when: 'before' | 'after' }
  /** The simulators, after so many answers of theirs to the simulation's own calls. */
  | { readonly what: 'simulators'; readonly at: number }
  /** PostgreSQL, when so many calls of clients have been sent in the step. */
  | { readonly what: 'database'; readonly at: number };

/** The past is archived during the step and is back at its end. */
export type ArchivePlan = {
  readonly name: string;
  /** The archiver is killed when it reaches this step; null: it is not killed. */
  readonly killAt: ArchiveStep | null;
  readonly restoreKillAt: ArchiveStep | null;
};

export type Step = {
  /** Begins the tags of its scenarios. */
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  readonly faults: readonly Fault[];
  readonly kills: readonly Kill[];
  /** They act beside the scenarios. */
  readonly attackers: readonly AttackerName[];
  /** Moves the simulators' clock in the middle of the step. */
  readonly advanceS: number;
  /** What an operator does to deadlines, and how their clock moves, by the number of calls so far. */
  readonly acts: readonly OperatorAct[];
  /** Webhooks of earlier steps that are delivered once more. */
  readonly repeats: number;
  /** Has reconciliation look while all is under way: none of it may be taken for a break. */
  readonly reconciles: boolean;
  /** Null: nothing is archived in this step. */
  readonly archive: ArchivePlan | null;
};

export type Plan = {
  readonly seed: number;
  readonly processes: number;
  readonly hasCrashes: boolean;
  /** With a PostgreSQL of its own, which is killed too. */
  readonly hasOwnDatabase: boolean;
  readonly places: number;
  readonly users: number;
  /** Of each marketplace. */
  readonly policies: readonly PolicyPlan[];
  /** The step before which the second versions are published. */
  readonly republishAt: number;
  /** How often the servers look for deposits. In a large environment, looking at everybody all the time would cost as much as living. */
  readonly depositPollS: number;
  /** The step after which the database is copied, to be restored at the end; null: never. */
  readonly copyAfter: number | null;
  readonly steps: readonly Step[];
};

export type Size = { readonly steps: number; readonly scenarios: number; readonly users: number };

export type PlanOptions = {
  readonly size: Size;
  /** At most; every other seed has one. */
  readonly processes: number;
  readonly crashes: boolean;
  /** Whether PostgreSQL is killed too, where there are crashes; it has to be one of the seed's own then. */
  readonly databases: boolean;
  /** Whether some seeds end with the restore of a backup from the middle of the run. */
  readonly restores?: boolean;
  /** Whether the past is archived in most steps, while the marketplaces live. */
  readonly archives?: boolean;
  /** Only these faults, each as an operation and a fault, for example `payments-get missing`. All of them when left out. */
  readonly faults?: readonly string[];
};

export const LONG: Size = { steps: 4, scenarios: 120, users: 16 };
export const SHORT: Size = { steps: 2, scenarios: 9, users: 6 };

/**
 * No real ledger or provider shows these faults, and after them an operator has to decide: a contract over another amount than was
 * signed.
 */
const UNREALISTIC = ['send-transaction wrong-amount', 'release wrong-amount'];

export const FAULTS: readonly Pick<Fault, 'operation' | 'fault'>[] = Object.entries(OPERATIONS)
  .flatMap(([operation, faults]) => faults.map((fault) => ({ operation, fault })))
  .filter(({ operation, fault }) => !UNREALISTIC.includes(`${operation} ${fault}`));

const planFault = (random: Random, { faults }: Pick<PlanOptions, 'faults'>): Fault => {
  const isWanted = (one: (typeof FAULTS)[number]) => faults?.includes(`${one.operation} ${one.fault}`) ?? true;
  const one = random.pick(FAULTS.filter(isWanted));
  // A call that fails by its connection is repeated at once, so an outage has to last.
  const count = one.fault === 'outage' ? random.int(2, 5) : random.int(1, 3);
  return { ...one, count, ...(one.fault === 'slow' ? { delayMs: random.int(50, 2_000) } : {}) };
};

const planKills = (random: Random, of: { processes: number; scenarios: number; database: boolean }): Kill[] => {
  const servers = Array.from({ length: of.processes }, (_, which) => which).filter(() => random.is(45));
  return [
    ...servers.map((which): Kill => {
      const when = random.pick(['before', 'after'] as const);
      return { what: 'server', which, at: random.int(2, of.scenarios * 4), when };
    }),
    ...(random.is(25) ? [{ what: 'simulators', at: random.int(1, of.scenarios) } as const] : []),
    // Not in the last tenth of the calls, so that it is met.
    ...(of.database ? [{ what: 'database', at: random.int(1, of.scenarios * 3) } as const] : []),
  ];
};

const planArchive = (random: Random, of: { name: string; hasCrashes: boolean }): ArchivePlan | null => {
  const isArchived = random.is(80);
  const killAt = random.pick(['exported', 'renamed', 'sealed', 'removing', 'removed', null] as const);
  const restoreKillAt = random.pick(['restoring', 'restored', null] as const);
  if (!isArchived) return null;
  return of.hasCrashes
    ? { name: of.name, killAt, restoreKillAt }
    : { name: of.name, killAt: null, restoreKillAt: null };
};

export const planOf = (seed: number, options: PlanOptions): Plan => {
  const { size, crashes } = options;
  const random = randomOf(seed, 'plan');
  const places = random.weighed({ one: 60, two: 40 }) === 'one' ? 1 : 2;
  // Crashes cost a start each, so not every seed has them.
  const hasCrashes = crashes && random.is(50);
  // One server in every other seed, so that both are met; what is shared between several needs the others.
  const processes = random.is(50) ? 1 : options.processes;
  const hasOwnDatabase = hasCrashes && options.databases;
  /** In this step for certain, and perhaps in others. */
  const struck = random.fork('database').int(0, size.steps - 1);
  const users = Math.max(3, Math.round(size.users / places));
  const policies = planPolicies(random.fork('policies'));
  const republishAt = Math.ceil(size.steps / 2);
  /** In this step the clock of deadlines jumps over every duration. */
  const jumpAt = random.fork('jump').int(0, size.steps - 1);
  const steps = Array.from({ length: size.steps }, (_, number): Step => {
    const own = random.fork(`step ${number}`);
    const isCalm = own.is(20);
    const faults = isCalm ? [] : Array.from({ length: own.int(1, 8) }, () => planFault(own, options));
    const canSync = !faults.some(({ operation, fault }) => operation === 'account' && fault === 'wrong-amount');
    const database = hasOwnDatabase && (number === struck || own.fork('database').is(20));
    const attackers = own.fork('attackers');
    return {
      name: `s${seed}-${number}`,
      scenarios: Array.from({ length: size.scenarios }, (__, at) =>
        // The name of a fork decides its choices: another name would change what every recorded seed does.
        planScenario(own.fork(`life ${at}`), { tag: `s${seed}-${number}-${at}`, places, users, canSync }),
      ),
      faults,
      kills: hasCrashes ? planKills(own.fork('kills'), { processes, scenarios: size.scenarios, database }) : [],
      attackers: ATTACKERS.filter(() => attackers.is(60)),
      advanceS: own.is(40) ? own.int(1, 400) : 0,
      acts: planActs(own.fork('acts'), { calls: size.scenarios * 3, hasJump: number === jumpAt }),
      repeats: own.int(0, 6),
      reconciles: own.is(60),
      archive: options.archives ? planArchive(own.fork('archive'), { name: `s${number}`, hasCrashes }) : null,
    };
  });
  const depositPollS = Math.max(4, Math.round(size.scenarios / 6));
  const restore = random.fork('restore');
  // Before the last step, so that the backup has something to forget.
  const copyAfter = options.restores && restore.is(50) ? restore.int(0, Math.max(0, size.steps - 2)) : null;
  const people = { places, users, policies, republishAt };
  return { seed, processes, hasCrashes, hasOwnDatabase, ...people, depositPollS, copyAfter, steps };
};
