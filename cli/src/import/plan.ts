// Decides from the records of a source what the import writes: users, one opening credit for each balance, orders, and the reservations
// that belong to them. It reads nothing. The hash of a plan covers everything that is written.

import { createHash } from 'node:crypto';
import { amountOf } from '../money.ts';
import { balanceKey, hasEnded, type Source, type SourceBalance, type SourceOrder, type SourceUser } from './records.ts';

export type PlannedOrder = SourceOrder & {
  readonly clientOrderRef: string;
  readonly isReserved: boolean;
};

/** An order that stays in the old system. */
type LeftOrder = Pick<SourceOrder, 'sourceId' | 'status' | 'amount' | 'currency' | 'buyer'> & {
  readonly reason: string;
};

/** The money of one user in one currency. All amounts are changes of the balance in Holdfast. */
export type PlannedMoney = {
  readonly externalUserId: string;
  readonly currency: string;
  /** What the source has. */
  readonly source: { readonly available: bigint; readonly reserved: bigint };
  /** Reserved in the source for orders that stay there. */
  readonly left: bigint;
  /** The opening credit. */
  readonly credit: bigint;
  /** Reserved by orders of the import. */
  readonly ofOrders: bigint;
  /** Reserved in the source without an order of the import. */
  readonly hold: bigint;
};

export type Plan = {
  readonly id: string;
  readonly hash: string;
  readonly source: string;
  readonly users: readonly SourceUser[];
  readonly money: readonly PlannedMoney[];
  readonly orders: readonly PlannedOrder[];
  readonly left: readonly LeftOrder[];
  readonly closedOrders: number;
  readonly problems: readonly string[];
};

/** Why an order stays in the old system. `isReserved`: its money is in the reserved balance of the buyer there. */
const STAYS: Readonly<Record<string, { readonly isReserved: boolean; readonly reason: string }>> = Object.fromEntries([
  ...['ESCROW_CREATING', 'ESCROW_FUNDING'].map((status) => [
    status,
    {
      isReserved: true,
      reason: 'Its escrow contract is being created or funded there. Cancel it there, or finish it there.',
    },
  ]),
  ...['IN_PROGRESS', 'RELEASE_REQUESTED', 'RELEASED', 'REFUND_REQUESTED', 'REFUNDED', 'DISPUTED'].map((status) => [
    status,
    { isReserved: false, reason: 'Its money is in an escrow contract of the old system. Release or refund it there.' },
  ]),
]);

type Sorted = {
  readonly orders: PlannedOrder[];
  readonly left: (LeftOrder & { readonly isReserved: boolean })[];
  readonly problems: string[];
};

const sortOrder = (order: SourceOrder, sorted: Sorted): void => {
  const { status, sourceId, place, isRefunded } = order;
  const stays = STAYS[status];
  const clientOrderRef = order.clientOrderRef ?? sourceId;
  if (stays) sorted.left.push({ ...pickLeft(order), ...stays });
  else if (status === 'ORDER_CREATED') sorted.orders.push({ ...order, clientOrderRef, isReserved: false });
  else if (status === 'FUNDS_RESERVED' || (hasEnded(status) && isRefunded))
    sorted.orders.push({ ...order, clientOrderRef, isReserved: true });
  else if (hasEnded(status)) sorted.problems.push(`${place}: it was not refunded, so it cannot be opened again.`);
  else sorted.problems.push(`${place}: the status "${status}" is unknown.`);
};

const pickLeft = ({ sourceId, status, amount, currency, buyer }: SourceOrder) => ({
  sourceId,
  status,
  amount,
  currency,
  buyer,
});

const sumOf = (items: readonly { readonly amount: bigint }[]): bigint =>
  items.reduce((sum, { amount }) => sum + amount, 0n);

type Mine = {
  readonly balance: SourceBalance | undefined;
  /** Orders of the import that reserve the buyer's money. */
  readonly orders: readonly PlannedOrder[];
  /** Orders that stay in the old system and have money in the reserved balance there. */
  readonly left: readonly LeftOrder[];
};

const moneyOf = ({ balance, orders, left: staying }: Mine): { money: PlannedMoney; problems: string[] } => {
  const left = sumOf(staying);
  const reopened = sumOf(orders.filter(({ status }) => hasEnded(status)));
  const ofOrders = sumOf(orders);
  const { available = 0n, reserved = 0n } = balance ?? {};
  const externalUserId = balance?.externalUserId ?? orders[0]!.buyer;
  const currency = balance?.currency ?? orders[0]!.currency;
  const hold = reserved - left - (ofOrders - reopened);
  const place = balance?.place ?? '';
  return {
    money: {
      externalUserId,
      currency,
      source: { available, reserved },
      left,
      credit: balance ? available + reserved - left : 0n,
      ofOrders,
      hold: balance ? hold : 0n,
    },
    problems: [
      ...(balance && hold < 0n
        ? [`${place}: ${amountOf(reserved)} is reserved, but its orders need ${amountOf(reserved - hold)}.`]
        : []),
      ...(balance && reopened > available
        ? [`${place}: ${amountOf(available)} is available, but the reopened orders need ${amountOf(reopened)}.`]
        : []),
    ],
  };
};

/** The same records in the same import have the same hash. */
const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, (_, inside) => (typeof inside === 'bigint' ? String(inside) : inside)))
    .digest('hex')
    .slice(0, 16);

const withoutPlace = <Item extends { readonly place: string }>({ place: _, ...item }: Item): Omit<Item, 'place'> =>
  item;

const byBuyer = <Order extends { readonly buyer: string; readonly currency: string; readonly isReserved: boolean }>(
  orders: readonly Order[],
): Map<string, Order[]> =>
  Map.groupBy(
    orders.filter(({ isReserved }) => isReserved),
    ({ buyer, currency }) => balanceKey(buyer, currency),
  );

export const planOf = (source: Source, id: string): Plan => {
  const sorted: Sorted = { orders: [], left: [], problems: [] };
  for (const order of source.orders) sortOrder(order, sorted);
  const balances = new Map(source.balances.map((each) => [balanceKey(each.externalUserId, each.currency), each]));
  const reserving = byBuyer(sorted.orders);
  const staying = byBuyer(sorted.left);
  const keys = new Set([...balances.keys(), ...reserving.keys()]);
  const found = [...keys].map((key) =>
    moneyOf({ balance: balances.get(key), orders: reserving.get(key) ?? [], left: staying.get(key) ?? [] }),
  );
  const money = found.map((each) => each.money);
  const left = sorted.left.map(({ isReserved: _, ...order }) => order);
  const { users } = source;
  const { orders } = sorted;
  return {
    id,
    hash: hashOf([id, users.map(withoutPlace), money, orders.map(withoutPlace), left]),
    source: source.name,
    users,
    money,
    orders,
    left,
    closedOrders: source.closedOrders,
    problems: [...sorted.problems, ...found.flatMap(({ problems }) => problems)],
  };
};

/** The change of the balance in Holdfast. */
export const changeOf = ({ credit, ofOrders, hold }: PlannedMoney) => ({
  available: credit - ofOrders - hold,
  reserved: ofOrders + hold,
});
