// How one life is meant to go, by chance: whom it is about, how much, and every way that an order, a payment or a row of
// manual changes can take. Nothing here is decided by a clock.

import type { Random } from '../random.ts';
import { planChoices } from './plan-parts.ts';
import type { AdjustMove, Currency, OrderScenario, PayoutMove, Scenario, TopupMove } from './scenarios.ts';

const CURRENCIES: Readonly<Record<Currency, number>> = { USD: 80, USDC: 10, XLM: 10 };

const partsOf = (random: Random, cents: number): number[] => {
  const count = random.weighed({ 0: 55, 1: 14, 2: 18, 3: 6, 4: 3, 7: 2, 10: 2 });
  const parts: number[] = [];
  let left = cents;
  for (let more = Number(count) - 1; more >= 0; more--) {
    const part = more === 0 ? left : random.int(1, left - more);
    parts.push(part);
    left -= part;
  }
  return parts;
};

const ENDING_WEIGHTS: Readonly<Record<OrderScenario['ending'], number>> = {
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

const TOPUP_SEQUENCES: readonly (readonly TopupMove[])[] = [
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
  ['fail', 'confirm-late'],
  ['api-cancel', 'confirm-late', 'refresh'],
  [],
];

const PAYOUT_SEQUENCES: readonly (readonly PayoutMove[])[] = [
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

const ADJUST_SEQUENCES: readonly (readonly AdjustMove[])[] = [
  ['credit', 'debit'],
  ['credit', 'reserve', 'release'],
  ['credit', 'reserve', 'deduct'],
  ['credit', 'reserve', 'cancel-reservation', 'verify'],
  ['debit'],
  ['credit', 'verify'],
  ['credit', 'sync', 'debit'],
  ['sync', 'credit', 'reserve', 'sync', 'release'],
];

/** Where an outside system may show another amount than there is, it is not asked to book what it shows. */
const withoutSync = (moves: readonly AdjustMove[]): AdjustMove[] =>
  moves.map((move) => (move === 'sync' ? 'verify' : move));

type ScenarioOptions = {
  readonly tag: string;
  readonly places: number;
  readonly users: number;
  /** Whether balances may be made what the ledger shows. */
  readonly canSync: boolean;
};

export const planScenario = (random: Random, of: ScenarioOptions): Scenario => {
  const place = random.int(0, of.places - 1);
  const user = random.int(0, of.users - 1);
  const cents = random.weighed({ small: 30, usual: 60, large: 10 });
  const common = {
    tag: of.tag,
    place,
    user,
    currency: random.weighed(CURRENCIES),
    cents: { small: random.int(20, 500), usual: random.int(500, 20_000), large: random.int(20_000, 900_000) }[cents],
  };
  const kind = random.weighed({ order: 40, topup: 26, withdrawal: 24, deposit: 4, adjust: 6 });
  switch (kind) {
    case 'order': {
      const seller = (user + random.int(1, of.users - 1)) % of.users;
      const milestones = partsOf(random, common.cents);
      return {
        ...common,
        ...planChoices(random.fork('choices'), { milestones: milestones.length }),
        kind,
        seller,
        milestones,
        fee: random.weighed({ usual: 70, other: 30 }) === 'usual' ? null : random.pick([0, 1, 2.5, 10, 99]),
        ending: random.weighed(ENDING_WEIGHTS),
        sellerCents: random.int(1, common.cents - 1),
        openedBy: random.pick(['BUYER', 'SELLER']),
        twice: random.pick([0, 0, 30]),
        told: random.pick([0, 20, 60]),
      };
    }
    case 'topup': {
      const currency = common.currency === 'XLM' ? 'USD' : common.currency;
      return { ...common, currency, kind, moves: random.pick(TOPUP_SEQUENCES) };
    }
    case 'withdrawal': {
      const to = common.currency === 'XLM' ? 'crypto' : random.pick(['bank', 'payment_account', 'crypto'] as const);
      const commit = random.weighed({ 'at-once': 45, later: 45, never: 10 });
      return {
        ...common,
        cents: Math.min(common.cents, 30_000),
        kind,
        to,
        commit,
        moves: random.pick(PAYOUT_SEQUENCES),
      };
    }
    case 'deposit': {
      const currency = common.currency === 'XLM' ? 'XLM' : 'USD';
      return { ...common, currency, kind, units: BigInt(random.int(1, 2_000_000_000)) };
    }
    case 'adjust': {
      const moves = random.pick(ADJUST_SEQUENCES);
      const previews = random.fork('choices').pick([0, 50]);
      return { ...common, kind, moves: of.canSync ? moves : withoutSync(moves), previews };
    }
  }
};
