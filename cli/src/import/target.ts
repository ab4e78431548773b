// What Holdfast already has of a plan: users by their external id, opening credits and reservations by their reference, orders by their
// clientOrderRef. A stopped import continues from here, so it needs no memory of its own. It only reads.

import type { CurrencyCode, Holdfast, Order, User } from '@holdfast/sdk';
import { amountOf, unitsOf } from '../money.ts';
import type { Plan, PlannedMoney, PlannedOrder } from './plan.ts';
import { balanceKey, type SourceUser } from './records.ts';
import { askedKey, type Requested, requestedCredits } from './requested.ts';

export type Target = { readonly client: Holdfast; readonly signal: AbortSignal };

export type Balance = { readonly available: bigint; readonly reserved: bigint };

export type Users = Map<string, User>;

type MoneyFound = {
  readonly isCredited: boolean;
  /** The approval that the opening credit waits for; null: none. */
  readonly waitsFor: string | null;
  readonly isHeld: boolean;
  readonly balance: Balance;
};

export type Survey = {
  readonly users: Users;
  readonly money: Map<string, MoneyFound>;
  readonly orders: Map<string, Order>;
  readonly problems: readonly string[];
};

const AT_ONCE = 4;

/** Works on all items, a few at once. The first failure ends it. */
export const eachOf = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

/** The label of everything that the import books. */
export const referenceOf = (id: string): string => `import:${id}`;

export const findUsers = async ({ client, signal }: Target, names: readonly string[]): Promise<Users> => {
  const users: Users = new Map();
  await eachOf(names, async (externalUserId) => {
    const { items } = await client.users.list({ externalUserId }, { signal }).page();
    if (items[0]) users.set(externalUserId, items[0]);
  });
  return users;
};

/** A statement has at most 366 days. */
const RANGE_MS = 365 * 86_400_000;
const OPENING = 'opening_credit';

type Asked = { readonly user: User; readonly currency: CurrencyCode; readonly reference: string };

/** Ranges from the creation of a user until now. The last one ends at the time of the server. */
const rangesSince = (createdAt: string): { from: string; to?: string }[] => {
  const ranges: { from: string; to?: string }[] = [];
  let from = createdAt;
  for (let end = Date.parse(createdAt) + RANGE_MS; end < Date.now(); end += RANGE_MS) {
    const to = new Date(end).toISOString();
    ranges.push({ from, to });
    from = to;
  }
  return [...ranges, { from }];
};

/** The opening credit of this import, however old it is; null: there is none. */
const findCredit = async ({ client, signal }: Target, asked: Asked): Promise<bigint | null> => {
  const { user, currency, reference } = asked;
  for (const range of rangesSince(user.createdAt)) {
    for await (const line of client.users.statementLines(user.id, { ...range, currency, limit: 1_000 }, { signal })) {
      if (line.move === OPENING && line.reference === reference) return unitsOf(line.amount);
    }
  }
  return null;
};

/** What was ever reserved under the reference of this import; null: nothing. */
const findHold = async ({ client, signal }: Target, asked: Asked): Promise<bigint | null> => {
  const { user, currency, reference } = asked;
  for await (const { orderId, amount } of client.users.reservations(user.id, { currency, limit: 100 }, { signal })) {
    if (orderId === reference) return unitsOf(amount);
  }
  return null;
};

export const readBalance = async (
  { client, signal }: Target,
  { userId, currency }: { userId: string; currency: string },
): Promise<Balance> => {
  const { available, reserved } = await client.balances.get(userId, { currency: currency as CurrencyCode }, { signal });
  return { available: unitsOf(available), reserved: unitsOf(reserved) };
};

type Wanted = { readonly plan: Plan; readonly users: Users };

const surveyMoney = async (target: Target, { plan, users }: Wanted, problems: string[]) => {
  const found = new Map<string, MoneyFound>();
  const reference = referenceOf(plan.id);
  // Read before the statements: a request that is approved in between is in one of them.
  const requested = await requestedCredits(target, reference);
  await eachOf(plan.money, async ({ externalUserId, currency, credit, hold }) => {
    const user = users.get(externalUserId);
    if (!user) return;
    const asked: Asked = { user, currency: currency as CurrencyCode, reference };
    const request: Requested | undefined = requested.get(askedKey(user.id, currency));
    const booked = credit > 0n ? await findCredit(target, asked) : null;
    const credited = booked ?? (request?.isApproved ? request.amount : null);
    const waiting = credit > 0n && credited === null ? (request ?? null) : null;
    const held = hold > 0n ? await findHold(target, asked) : null;
    const differs = (what: string, [there, wanted]: readonly [bigint | null, bigint]): void => {
      if (there !== null && there !== wanted)
        problems.push(
          `${externalUserId}: this import has ${what} ${amountOf(there)} ${currency} before, and the source now says ${amountOf(wanted)}. Correct the balance by hand, or use another --id.`,
        );
    };
    differs('credited', [credited, credit]);
    differs('reserved', [held, hold]);
    if (waiting && waiting.amount !== credit)
      problems.push(
        `${externalUserId}: the approval ${waiting.id} waits with ${amountOf(waiting.amount)} ${currency}, and the source now says ${amountOf(credit)}. Reject or cancel the approval, or restore the source.`,
      );
    found.set(balanceKey(externalUserId, currency), {
      isCredited: credited !== null,
      waitsFor: waiting?.id ?? null,
      isHeld: held !== null,
      balance: await readBalance(target, { userId: user.id, currency }),
    });
  });
  return found;
};

/** Whether an order with the same reference is the one that this import has created. */
const isSame = (order: Order, { plan, users, wanted }: Wanted & { wanted: PlannedOrder }): boolean =>
  order.metadata.importedFrom === wanted.sourceId &&
  order.metadata.importId === plan.id &&
  order.buyerId === users.get(wanted.buyer)?.id &&
  order.sellerId === users.get(wanted.seller)?.id &&
  order.currency === wanted.currency &&
  unitsOf(order.amount) === wanted.amount;

const surveyOrders = async ({ client, signal }: Target, { plan, users }: Wanted, problems: string[]) => {
  const found = new Map<string, Order>();
  await eachOf(plan.orders, async (wanted) => {
    const { items } = await client.orders.list({ clientOrderRef: wanted.clientOrderRef }, { signal }).page();
    const order = items[0];
    if (!order) return;
    if (isSame(order, { plan, users, wanted })) found.set(wanted.sourceId, order);
    else
      problems.push(
        `${wanted.place}: the reference ${wanted.clientOrderRef} belongs to ${order.id}, which is another order.`,
      );
  });
  return found;
};

const emailProblems = (wanted: readonly SourceUser[], users: Users): string[] =>
  wanted.flatMap(({ externalUserId, email, place }) => {
    const there = users.get(externalUserId);
    if (!there || (email ?? '').toLowerCase() === (there.email ?? '').toLowerCase()) return [];
    return [
      `${place}: ${externalUserId} exists with the e-mail address ${there.email ?? '(none)'}, and the source says ${email ?? '(none)'}. Nothing was overwritten. Correct one of them, or keep the existing address with --keep-emails.`,
    ];
  });

type Found = Omit<Survey, 'problems'> & { readonly plan: Plan };

/** What the orders of each buyer still have to reserve. */
const openOrders = ({ plan, orders }: Found): Map<string, bigint> => {
  const needed = new Map<string, bigint>();
  for (const { isReserved, buyer, currency, sourceId, amount } of plan.orders) {
    const key = balanceKey(buyer, currency);
    const isOpen = (orders.get(sourceId)?.status ?? 'ORDER_CREATED') === 'ORDER_CREATED';
    if (isReserved && isOpen) needed.set(key, (needed.get(key) ?? 0n) + amount);
  }
  return needed;
};

/** Orders whose buyer has no balance in the source reserve what the buyer has in Holdfast. */
const coverProblems = (money: readonly PlannedMoney[], found: Found): string[] => {
  const open = openOrders(found);
  return money.flatMap(({ externalUserId, currency, credit }) => {
    const key = balanceKey(externalUserId, currency);
    const needed = open.get(key) ?? 0n;
    const there = found.money.get(key)?.balance.available ?? 0n;
    if (credit > 0n || needed <= there) return [];
    return [
      `${externalUserId}: the reserved orders need ${amountOf(needed)} ${currency}, and only ${amountOf(there)} is available. Import the balance too.`,
    ];
  });
};

export const surveyTarget = async (
  target: Target,
  { plan, users, keepEmails }: Wanted & { keepEmails: boolean },
): Promise<Survey> => {
  const problems = keepEmails ? [] : emailProblems(plan.users, users);
  const money = await surveyMoney(target, { plan, users }, problems);
  const orders = await surveyOrders(target, { plan, users }, problems);
  problems.push(...coverProblems(plan.money, { plan, users, money, orders }));
  return { users, money, orders, problems };
};
