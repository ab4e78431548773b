// What a seed does: how many people, marketplaces and servers there are, and step by step which lives begin, which faults are
// armed, whose process is killed at which commit, and how the clock moves. Nothing here is decided by a clock.

import { OPERATIONS } from '../../sandbox/src/faults-table.ts';
import { type Chance, chanceOf } from './chance.ts';
import type { Life } from './lives.ts';
import { planLife } from './plan-life.ts';

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
  | { readonly what: 'street'; readonly at: number }
  /** PostgreSQL, when so many calls of clients have been sent in the step. */
  | { readonly what: 'database'; readonly at: number };

export type Step = {
  readonly lives: readonly Life[];
  readonly faults: readonly Fault[];
  readonly kills: readonly Kill[];
  /** Moves the simulators' clock in the middle of the step. */
  readonly advanceS: number;
  /** Webhooks of earlier steps that are delivered once more. */
  readonly repeats: number;
  /** Has reconciliation look while all is under way: none of it may be taken for a break. */
  readonly reconciles: boolean;
};

export type Plan = {
  readonly seed: number;
  readonly processes: number;
  readonly hasCrashes: boolean;
  /** With a PostgreSQL of its own, which is killed too. */
  readonly hasOwnDatabase: boolean;
  readonly places: number;
  readonly people: number;
  /** How often the servers look for deposits. In a large environment, looking at everybody all the time would cost as much as living. */
  readonly depositPollS: number;
  readonly steps: readonly Step[];
};

export type Size = { readonly steps: number; readonly lives: number; readonly people: number };

export type PlanOptions = {
  readonly size: Size;
  /** At most; every other seed has one. */
  readonly processes: number;
  readonly crashes: boolean;
  /** Whether PostgreSQL is killed too, where there are crashes; it has to be one of the seed's own then. */
  readonly databases: boolean;
};

export const LONG: Size = { steps: 4, lives: 120, people: 16 };
export const SHORT: Size = { steps: 2, lives: 9, people: 6 };

/**
 * No ledger and no provider does these, and after them somebody has to decide: a contract or a payout over another amount
 * than was signed or asked for.
 */
const UNHEARD_OF = ['send-transaction wrong-amount', 'release wrong-amount', 'payout-commit wrong-amount'];

export const FAULTS: readonly Pick<Fault, 'operation' | 'fault'>[] = Object.entries(OPERATIONS)
  .flatMap(([operation, faults]) => faults.map((fault) => ({ operation, fault })))
  .filter(({ operation, fault }) => !UNHEARD_OF.includes(`${operation} ${fault}`));

const planFault = (chance: Chance): Fault => {
  const one = chance.pick(FAULTS);
  // A call that fails by its connection is repeated at once, so an outage has to last.
  const count = one.fault === 'outage' ? chance.int(2, 5) : chance.int(1, 3);
  return { ...one, count, ...(one.fault === 'slow' ? { delayMs: chance.int(50, 2_000) } : {}) };
};

const planKills = (chance: Chance, of: { processes: number; lives: number; database: boolean }): Kill[] => {
  const servers = Array.from({ length: of.processes }, (_, which) => which).filter(() => chance.is(45));
  return [
    ...servers.map((which): Kill => {
      const when = chance.pick(['before', 'after'] as const);
      return { what: 'server', which, at: chance.int(2, of.lives * 4), when };
    }),
    ...(chance.is(25) ? [{ what: 'street', at: chance.int(1, of.lives) } as const] : []),
    // Not in the last tenth of the calls, so that it is met.
    ...(of.database ? [{ what: 'database', at: chance.int(1, of.lives * 3) } as const] : []),
  ];
};

export const planOf = (seed: number, options: PlanOptions): Plan => {
  const { size, crashes } = options;
  const chance = chanceOf(seed, 'plan');
  const places = chance.weighed({ one: 60, two: 40 }) === 'one' ? 1 : 2;
  // Crashes cost a start each, so not every seed has them.
  const hasCrashes = crashes && chance.is(50);
  // One server in every other seed, so that both are met; what is shared between several needs the others.
  const processes = chance.is(50) ? 1 : options.processes;
  const hasOwnDatabase = hasCrashes && options.databases;
  /** In this step for certain, and perhaps in others. */
  const struck = chance.fork('database').int(0, size.steps - 1);
  const people = Math.max(3, Math.round(size.people / places));
  const steps = Array.from({ length: size.steps }, (_, number): Step => {
    const own = chance.fork(`step ${number}`);
    const isCalm = own.is(20);
    const faults = isCalm ? [] : Array.from({ length: own.int(1, 8) }, () => planFault(own));
    const canSync = !faults.some(({ operation, fault }) => operation === 'account' && fault === 'wrong-amount');
    const database = hasOwnDatabase && (number === struck || own.fork('database').is(20));
    return {
      lives: Array.from({ length: size.lives }, (__, at) =>
        planLife(own.fork(`life ${at}`), { tag: `s${seed}-${number}-${at}`, places, people, canSync }),
      ),
      faults,
      kills: hasCrashes ? planKills(own.fork('kills'), { processes, lives: size.lives, database }) : [],
      advanceS: own.is(40) ? own.int(1, 400) : 0,
      repeats: own.int(0, 6),
      reconciles: own.is(60),
    };
  });
  const depositPollS = Math.max(4, Math.round(size.lives / 6));
  return { seed, processes, hasCrashes, hasOwnDatabase, places, people, depositPollS, steps };
};
