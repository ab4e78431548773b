// Writes what Holdfast does not have of a plan yet. Every write goes through the public API. A credit and a reservation have an
// Idempotency-Key that follows from the import and the row, and an order has its reference, so a repeated run writes nothing twice.

import { createHash } from 'node:crypto';
import type { CurrencyCode, Order } from '@holdfast/sdk';
import { amountOf } from '../money.ts';
import { counted } from '../view/counted.ts';
import type { Plan, PlannedMoney, PlannedOrder } from './plan.ts';
import { balanceKey, type SourceUser } from './records.ts';
import type { StateFile } from './state-file.ts';
import { eachOf, referenceOf, type Survey, type Target } from './target.ts';
import { verdictOf } from './verdict.ts';

export type Refused = { readonly what: string; readonly code: string; readonly reason: string };

export type Written = {
  users: number;
  credits: number;
  orders: number;
  reserved: number;
  holds: number;
  suspended: number;
};

export type Outcome = { readonly written: Written; readonly refused: Refused[]; readonly waiting: Refused[] };

type Parts = Target & {
  readonly plan: Plan;
  readonly survey: Survey;
  readonly state: StateFile;
  onProgress(text: string): void;
};

/** `there`: it was written before this run, or by another one at the same time. */
type Ended = 'done' | 'there' | 'refused' | 'waiting';

type Work = Parts &
  Outcome & {
    /** Balances without their opening credit: nothing can be reserved from them yet. */
    readonly uncredited: Map<string, 'refused' | 'waiting'>;
  };

/** A UUID that is always the same for the same row of the same import. */
const rowKey = (id: string, row: readonly string[]): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify(['holdfast-import', id, ...row]))
    .digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * The key of a row. The server repeats a stored refusal for a key, so a row that was refused gets the next one: a refused request has
 * written nothing. A key that is in use is no refusal.
 */
const keyOf = ({ plan, state }: Work, { what, row }: { what: string; row: readonly string[] }): string => {
  const refusals = state.refusals(what);
  return rowKey(plan.id, refusals === 0 ? row : [...row, String(refusals)]);
};

/** A refusal of one row is reported, and the other rows go on. Any other failure ends the run; the next one continues. */
const attempt = async (work: Work, what: string, write: () => Promise<void>): Promise<Ended> => {
  work.signal.throwIfAborted();
  let ended: Ended = 'done';
  try {
    await write();
  } catch (error) {
    const { ended: type, code, reason } = await verdictOf(work, error);
    const refusal: Refused = { what, code, reason };
    ended = type === 'stopped' ? 'refused' : type;
    if (ended !== 'there') work[ended].push(refusal);
    await work.state.append({ type, ...refusal });
  }
  const { users, credits, orders } = work.written;
  work.onProgress(
    `Created ${counted(users, 'user')}, ${counted(credits, 'opening credit')} and ${counted(orders, 'order')}`,
  );
  return ended;
};

type Reserving = { readonly externalUserId: string; readonly currency: string; readonly what: string };

/** A reservation from a balance without its opening credit ends as the credit did. */
const isCredited = (work: Work, { externalUserId, currency, what }: Reserving): boolean => {
  const ended = work.uncredited.get(balanceKey(externalUserId, currency));
  if (ended === undefined) return true;
  const reason = `The opening balance of ${externalUserId} in ${currency} is not credited yet.`;
  work[ended].push({ what, code: ended === 'waiting' ? 'APPROVAL_PENDING' : 'INSUFFICIENT_FUNDS', reason });
  return false;
};

const createUsers = async (work: Work): Promise<void> => {
  const { client, signal, plan, survey, state } = work;
  const missing = plan.users.filter(({ externalUserId }) => !survey.users.has(externalUserId));
  await eachOf(missing, async ({ externalUserId, email, name, type, metadata, sourceId }: SourceUser) => {
    const what = `user ${externalUserId}`;
    await attempt(work, what, async () => {
      const user = await client.users.create(
        {
          externalUserId,
          ...(email === null ? {} : { email }),
          ...(name === null ? {} : { name }),
          ...(type === null ? {} : { type }),
          metadata: { ...metadata, importId: plan.id, ...(sourceId === null ? {} : { importedFrom: sourceId }) },
        },
        { idempotencyKey: keyOf(work, { what, row: ['user', externalUserId] }), signal },
      );
      survey.users.set(externalUserId, user);
      work.written.users++;
      await state.append({ type: 'user', externalUserId, id: user.id });
    });
  });
};

/** The user of a row that depends on it; a user that was refused is reported once, with its rows. */
const userIdOf = (work: Work, { externalUserId, what }: { externalUserId: string; what: string }): string | null => {
  const user = work.survey.users.get(externalUserId);
  if (!user) work.refused.push({ what, code: 'USER_NOT_FOUND', reason: `The user ${externalUserId} was not created.` });
  return user?.id ?? null;
};

/** A credit that waits for approval is not sent again: under another API key it would be a second request. */
const isWaiting = (work: Work, { externalUserId, currency, what }: Reserving): boolean => {
  const key = balanceKey(externalUserId, currency);
  const approval = work.survey.money.get(key)?.waitsFor ?? null;
  if (approval === null) return false;
  work.uncredited.set(key, 'waiting');
  work.waiting.push({ what, code: 'APPROVAL_PENDING', reason: `It waits for the approval ${approval}.` });
  return true;
};

const NOT_FOUND = { isCredited: false, waitsFor: null, isHeld: false, balance: { available: 0n, reserved: 0n } };

const creditBalances = async (work: Work): Promise<void> => {
  const { client, signal, plan, survey, state } = work;
  const missing = plan.money.filter(
    ({ externalUserId, currency, credit }) =>
      credit > 0n && !survey.money.get(balanceKey(externalUserId, currency))?.isCredited,
  );
  await eachOf(missing, async ({ externalUserId, currency, credit }: PlannedMoney) => {
    const what = `balance of ${externalUserId} in ${currency}`;
    const userId = userIdOf(work, { externalUserId, what });
    if (userId === null || isWaiting(work, { externalUserId, currency, what })) return;
    const ended = await attempt(work, what, async () => {
      await client.balances.credit(
        userId,
        {
          amount: amountOf(credit),
          currency: currency as CurrencyCode,
          counterAccount: 'opening_balances',
          reference: referenceOf(plan.id),
          description: 'Opening balance',
        },
        { idempotencyKey: keyOf(work, { what, row: ['credit', externalUserId, currency] }), signal },
      );
      work.written.credits++;
      await state.append({ type: 'credit', externalUserId, currency, amount: credit });
    });
    const key = balanceKey(externalUserId, currency);
    if (ended === 'refused' || ended === 'waiting') work.uncredited.set(key, ended);
    if (ended === 'there') survey.money.set(key, { ...(survey.money.get(key) ?? NOT_FOUND), isCredited: true });
  });
};

const createOrder = async (work: Work, order: PlannedOrder): Promise<Order | null> => {
  const { client, signal, plan, state } = work;
  const what = `order ${order.sourceId}`;
  const buyerId = userIdOf(work, { externalUserId: order.buyer, what });
  const sellerId = buyerId && userIdOf(work, { externalUserId: order.seller, what });
  if (buyerId === null || sellerId === null) return null;
  const fee = order.platformFee === null ? {} : { platformFee: order.platformFee };
  let created: Order | null = null;
  await attempt(work, what, async () => {
    created = await client.orders.create(
      {
        buyerId,
        sellerId,
        amount: amountOf(order.amount),
        currency: order.currency as CurrencyCode,
        title: order.title,
        ...(order.description === null ? {} : { description: order.description }),
        clientOrderRef: order.clientOrderRef,
        metadata: { ...fee, ...order.metadata, importId: plan.id, importedFrom: order.sourceId },
        ...(order.milestones.length === 0
          ? {}
          : { milestones: order.milestones.map((each) => ({ ...each, amount: amountOf(each.amount) })) }),
      },
      { signal },
    );
    work.written.orders++;
    await state.append({ type: 'order', sourceId: order.sourceId, id: created.id });
  });
  return created;
};

const importOrders = (work: Work): Promise<void> =>
  eachOf(work.plan.orders, async (order) => {
    const { client, signal, survey, state } = work;
    const there = survey.orders.get(order.sourceId) ?? (await createOrder(work, order));
    if (!there || !order.isReserved || there.status !== 'ORDER_CREATED') return;
    const what = `reservation of order ${order.sourceId}`;
    if (!isCredited(work, { externalUserId: order.buyer, currency: order.currency, what })) return;
    await attempt(work, what, async () => {
      await client.orders.reserve(there.id, { signal });
      work.written.reserved++;
      await state.append({ type: 'reserved', sourceId: order.sourceId, id: there.id });
    });
  });

const holdReserved = async (work: Work): Promise<void> => {
  const { client, signal, plan, survey, state } = work;
  const missing = plan.money.filter(
    ({ externalUserId, currency, hold }) =>
      hold > 0n && !survey.money.get(balanceKey(externalUserId, currency))?.isHeld,
  );
  await eachOf(missing, async ({ externalUserId, currency, hold }) => {
    const what = `reserved balance of ${externalUserId} in ${currency}`;
    const userId = userIdOf(work, { externalUserId, what });
    if (userId === null || !isCredited(work, { externalUserId, currency, what })) return;
    await attempt(work, what, async () => {
      await client.balances.reserve(
        userId,
        {
          amount: amountOf(hold),
          currency: currency as CurrencyCode,
          orderId: referenceOf(plan.id),
          reason: 'Reserved in the old system',
        },
        { idempotencyKey: keyOf(work, { what, row: ['hold', externalUserId, currency] }), signal },
      );
      work.written.holds++;
      await state.append({ type: 'hold', externalUserId, currency, amount: hold });
    });
  });
};

/** Last, because a suspended user can have no new orders. */
const suspendUsers = (work: Work): Promise<void> => {
  const { client, signal, plan, survey, state } = work;
  const wanted = plan.users.filter(
    ({ externalUserId, status }) =>
      status === 'SUSPENDED' && (survey.users.get(externalUserId)?.status ?? 'SUSPENDED') !== 'SUSPENDED',
  );
  return eachOf(wanted, async ({ externalUserId }) => {
    await attempt(work, `suspension of ${externalUserId}`, async () => {
      await client.users.suspend(
        survey.users.get(externalUserId)!.id,
        { reason: 'Suspended in the old system' },
        { signal },
      );
      work.written.suspended++;
      await state.append({ type: 'suspended', externalUserId });
    });
  });
};

/** Records the balances before the first write, so that the comparison at the end knows what the import has changed. */
const recordBefore = async ({ plan, survey, state }: Work): Promise<void> => {
  const begun = new Set(
    plan.orders
      .filter(({ sourceId }) => survey.orders.has(sourceId))
      .map(({ buyer, currency }) => balanceKey(buyer, currency)),
  );
  const lines = plan.money.flatMap(({ externalUserId, currency }) => {
    const key = balanceKey(externalUserId, currency);
    const found = survey.money.get(key);
    const isBegun = begun.has(key) || found?.isCredited || found?.isHeld;
    return !found || isBegun || state.before(key) ? [] : [{ type: 'before', key, ...found.balance }];
  });
  await state.append(...lines);
};

export const applyPlan = async (parts: Parts): Promise<Outcome> => {
  const written: Written = { users: 0, credits: 0, orders: 0, reserved: 0, holds: 0, suspended: 0 };
  const work: Work = { ...parts, written, refused: [], waiting: [], uncredited: new Map() };
  await recordBefore(work);
  await createUsers(work);
  await creditBalances(work);
  await importOrders(work);
  await holdReserved(work);
  await suspendUsers(work);
  return { written, refused: work.refused, waiting: work.waiting };
};
