// What a seed does: how many people, marketplaces and servers there are, and step by step which lives begin, which faults are
// armed, whose process is killed at which commit, and how the clock moves. Nothing here is decided by a clock.

import { OPERATIONS } from '../../sandbox/src/faults-table.ts';
import { type Chance, chanceOf } from './chance.ts';
import type { AdjustMove, Currency, Life, OrderLife, PayoutMove, TopupMove } from './lives.ts';

export type Fault = {
  readonly operation: string;
  readonly fault: string;
  readonly count: number;
  readonly delayMs?: number;
};

export type Kill =
  /** At a commit of that server, counted from the beginning of the step. */
  | { readonly what: 'server'; readonly which: number; readonly at: number; readonly when: 'before' | 'after' }
  /** The twins, after so many answers of theirs to the simulation's own calls. */
  | { readonly what: 'street'; readonly at: number };

export type Step = {
  readonly lives: readonly Life[];
  readonly faults: readonly Fault[];
  readonly kills: readonly Kill[];
  /** Moves the twins' clock in the middle of the step. */
  readonly advanceS: number;
  /** Webhooks of earlier steps that are delivered once more. */
  readonly repeats: number;
};

export type Plan = {
  readonly seed: number;
  readonly processes: number;
  readonly hasCrashes: boolean;
  readonly places: number;
  readonly people: number;
  readonly steps: readonly Step[];
};

export type Size = { readonly steps: number; readonly lives: number; readonly people: number };

export type PlanOptions = {
  readonly size: Size;
  /** At most; every other seed has one. */
  readonly processes: number;
  readonly crashes: boolean;
};

export const LONG: Size = { steps: 4, lives: 120, people: 16 };
export const SHORT: Size = { steps: 2, lives: 12, people: 6 };

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

const CURRENCIES: Readonly<Record<Currency, number>> = { USD: 80, USDC: 10, XLM: 10 };

const partsOf = (chance: Chance, cents: number): number[] => {
  const count = chance.weighed({ 0: 55, 1: 14, 2: 18, 3: 6, 4: 3, 7: 2, 10: 2 });
  const parts: number[] = [];
  let left = cents;
  for (let more = Number(count) - 1; more >= 0; more--) {
    const part = more === 0 ? left : chance.int(1, left - more);
    parts.push(part);
    left -= part;
  }
  return parts;
};

const ENDING_WEIGHTS: Readonly<Record<OrderLife['ending'], number>> = {
  'cancel-new': 6,
  'cancel-reserved': 14,
  release: 32,
  refund: 16,
  'dispute-release': 7,
  'dispute-refund': 7,
  'dispute-split': 10,
  'leave-reserved': 4,
  'leave-funded': 4,
};

const TOPUP_WAYS: readonly (readonly TopupMove[])[] = [
  ['confirm'],
  ['confirm'],
  ['process', 'confirm'],
  ['process', 'refresh', 'confirm', 'follow'],
  ['process', 'fail'],
  ['fail'],
  ['cancel'],
  ['process', 'cancel', 'refresh'],
  ['api-cancel'],
  ['api-cancel', 'confirm'],
  ['confirm', 'api-cancel'],
  ['refresh', 'confirm', 'refresh'],
  [],
];

const PAYOUT_WAYS: readonly (readonly PayoutMove[])[] = [
  ['complete'],
  ['complete'],
  ['pend', 'complete'],
  ['require-action', 'complete'],
  ['require-action', 'pend', 'refresh', 'complete'],
  ['fail'],
  ['pend', 'fail'],
  ['cancel'],
  ['require-action', 'cancel', 'refresh'],
  ['refresh', 'complete'],
  [],
];

const ADJUST_WAYS: readonly (readonly AdjustMove[])[] = [
  ['credit', 'debit'],
  ['credit', 'reserve', 'release'],
  ['credit', 'reserve', 'deduct'],
  ['credit', 'reserve', 'cancel-reservation', 'verify'],
  ['debit'],
  ['credit', 'verify'],
];

const planLife = (chance: Chance, of: { tag: string; places: number; people: number }): Life => {
  const place = chance.int(0, of.places - 1);
  const user = chance.int(0, of.people - 1);
  const cents = chance.weighed({ small: 30, usual: 60, large: 10 });
  const common = {
    ...{ tag: of.tag, place, user, currency: chance.weighed(CURRENCIES) },
    cents: { small: chance.int(20, 500), usual: chance.int(500, 20_000), large: chance.int(20_000, 900_000) }[cents],
  };
  const kind = chance.weighed({ order: 18, topup: 38, withdrawal: 34, deposit: 4, adjust: 6 });
  switch (kind) {
    case 'order':
      return {
        ...{ ...common, kind, seller: (user + chance.int(1, of.people - 1)) % of.people },
        milestones: partsOf(chance, common.cents),
        fee: chance.weighed({ usual: 70, other: 30 }) === 'usual' ? null : chance.pick([0, 1, 2.5, 10, 99]),
        ending: chance.weighed(ENDING_WEIGHTS),
        sellerCents: chance.int(1, common.cents - 1),
        openedBy: chance.pick(['BUYER', 'SELLER']),
        twice: chance.pick([0, 0, 30]),
        told: chance.pick([0, 20, 60]),
      };
    case 'topup': {
      const currency = common.currency === 'XLM' ? 'USD' : common.currency;
      return { ...common, currency, kind, moves: chance.pick(TOPUP_WAYS) };
    }
    case 'withdrawal': {
      const to = common.currency === 'XLM' ? 'crypto' : chance.pick(['bank', 'payment_account', 'crypto'] as const);
      const commit = chance.weighed({ 'at-once': 45, later: 45, never: 10 });
      return { ...common, cents: Math.min(common.cents, 30_000), kind, to, commit, moves: chance.pick(PAYOUT_WAYS) };
    }
    case 'deposit': {
      const currency = common.currency === 'XLM' ? 'XLM' : 'USD';
      return { ...common, currency, kind, units: BigInt(chance.int(1, 2_000_000_000)) };
    }
    case 'adjust':
      return { ...common, kind, moves: chance.pick(ADJUST_WAYS) };
  }
};

const planKills = (chance: Chance, of: { processes: number; lives: number }): Kill[] => {
  const servers = Array.from({ length: of.processes }, (_, which) => which).filter(() => chance.is(45));
  return [
    ...servers.map((which): Kill => {
      const when = chance.pick(['before', 'after'] as const);
      return { what: 'server', which, at: chance.int(2, of.lives * 4), when };
    }),
    ...(chance.is(25) ? [{ what: 'street', at: chance.int(1, of.lives) } as const] : []),
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
  const people = Math.max(3, Math.round(size.people / places));
  const steps = Array.from({ length: size.steps }, (_, number): Step => {
    const own = chance.fork(`step ${number}`);
    const isCalm = own.is(20);
    return {
      lives: Array.from({ length: size.lives }, (__, at) =>
        planLife(own.fork(`life ${at}`), { tag: `s${seed}-${number}-${at}`, places, people }),
      ),
      faults: isCalm ? [] : Array.from({ length: own.int(1, 8) }, () => planFault(own)),
      kills: hasCrashes ? planKills(own.fork('kills'), { processes, lives: size.lives }) : [],
      advanceS: own.is(40) ? own.int(1, 400) : 0,
      repeats: own.int(0, 6),
    };
  });
  return { seed, processes, hasCrashes, places, people, steps };
};
