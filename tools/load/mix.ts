// The mix of a soak: every kind of work, and how often it comes in a thousand. Orders with an escrow cost most, one of them is
// some sixty requests to the outside systems. Holds and canceled orders are many because each makes rows that the server
// remembers for a while: so its memory of rows is filled and dropped several times in an hour, and a leak would show.

import type { Context } from './clients.ts';
import {
  canceledOrder,
  credit,
  debit,
  deposit,
  disputedOrder,
  hold,
  refundedOrder,
  releasedOrder,
  topup,
  withdrawal,
} from './mix-money.ts';
import {
  balance,
  consolePage,
  documents,
  health,
  lists,
  passingStream,
  reports,
  search,
  statement,
  timeline,
  wrong,
} from './mix-reads.ts';
import { login, newUser, passingKey, register } from './mix-users.ts';

type Kind = {
  readonly weight: number;
  work(context: Context): Promise<void>;
  /** Cannot be done without outside systems. */
  readonly needsSimulators?: true;
};

export const MIX = {
  credit: { weight: 170, work: credit },
  debit: { weight: 60, work: debit },
  hold: { weight: 240, work: hold },
  'canceled order': { weight: 120, work: canceledOrder },
  'released order': { weight: 22, work: releasedOrder, needsSimulators: true },
  'refunded order': { weight: 8, work: refundedOrder, needsSimulators: true },
  'disputed order': { weight: 6, work: disputedOrder, needsSimulators: true },
  'top-up': { weight: 20, work: topup, needsSimulators: true },
  withdrawal: { weight: 14, work: withdrawal, needsSimulators: true },
  deposit: { weight: 6, work: deposit, needsSimulators: true },
  balance: { weight: 120, work: balance },
  list: { weight: 70, work: lists },
  search: { weight: 20, work: search },
  statement: { weight: 20, work: statement },
  timeline: { weight: 15, work: timeline },
  report: { weight: 10, work: reports },
  health: { weight: 8, work: health },
  'console page': { weight: 8, work: consolePage },
  document: { weight: 6, work: documents },
  'wrong request': { weight: 60, work: wrong },
  'passing stream': { weight: 40, work: passingStream },
  'new user': { weight: 5, work: newUser },
  register: { weight: 2, work: register },
  login: { weight: 6, work: login },
  'passing key': { weight: 4, work: passingKey },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof MIX;

const isPossible = (kind: Kind, context: Context): boolean =>
  kind.needsSimulators !== true || context.fixture.simulators !== null;

/** What comes next, by the seed. */
export const nextKind = (context: Context): KindName => {
  const entries = (Object.entries(MIX) as [KindName, Kind][]).filter(([, kind]) => isPossible(kind, context));
  const weights = Object.fromEntries(entries.map(([name, { weight }]) => [name, weight]));
  return context.random.weighed(weights) as KindName;
};
