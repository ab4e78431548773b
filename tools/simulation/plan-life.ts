// How one life is meant to go, by chance: whom it is about, how much, and every way that an order, a payment or a row of
// manual changes can take. Nothing here is decided by a clock.

import type { Chance } from './chance.ts';
import type { AdjustMove, Currency, Life, OrderLife, PayoutMove, TopupMove } from './lives.ts';

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
  ['credit', 'sync', 'debit'],
  ['sync', 'credit', 'reserve', 'sync', 'release'],
];

/** Where an outside system may show another amount than there is, it is not asked to book what it shows. */
const withoutSync = (moves: readonly AdjustMove[]): AdjustMove[] =>
  moves.map((move) => (move === 'sync' ? 'verify' : move));

export type LifeOptions = {
  readonly tag: string;
  readonly places: number;
  readonly people: number;
  /** Whether balances may be made what the ledger shows. */
  readonly canSync: boolean;
};

export const planLife = (chance: Chance, of: LifeOptions): Life => {
  const place = chance.int(0, of.places - 1);
  const user = chance.int(0, of.people - 1);
  const cents = chance.weighed({ small: 30, usual: 60, large: 10 });
  const common = {
    tag: of.tag,
    place,
    user,
    currency: chance.weighed(CURRENCIES),
    cents: { small: chance.int(20, 500), usual: chance.int(500, 20_000), large: chance.int(20_000, 900_000) }[cents],
  };
  const kind = chance.weighed({ order: 40, topup: 26, withdrawal: 24, deposit: 4, adjust: 6 });
  switch (kind) {
    case 'order':
      return {
        ...common,
        kind,
        seller: (user + chance.int(1, of.people - 1)) % of.people,
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
    case 'adjust': {
      const moves = chance.pick(ADJUST_WAYS);
      return { ...common, kind, moves: of.canSync ? moves : withoutSync(moves) };
    }
  }
};
