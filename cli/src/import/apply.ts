// Writes what Holdfast does not have of a plan yet. Every write goes through the public API. A credit and a reservation have an
// Idempotency-Key that follows from the import and the row, and an order has its reference, so a repeated run writes nothing twice.

import { createHash } from 'node:crypto';
import { type CurrencyCode, HoldfastError, type Order } from '@holdfast/sdk';
import { amountOf } from '../money.ts';
import type { Plan, PlannedMoney, PlannedOrder } from './plan.ts';
import { balanceKey, type SourceUser } from './records.ts';
import type { StateFile } from './state-file.ts';
import { eachOf, referenceOf, type Survey, type Target } from './target.ts';

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

type Work = Parts & Outcome;

/** A UUID that is always the same for the same row of the same import. */
export const rowKey = (id: string, row: readonly string[]): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify(['holdfast-import', id, ...row]))
    .digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Refusals of the key itself: every other row would get the same one. */
const OF_THE_KEY: readonly string[] = ['UNAUTHORIZED', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED'];

/** A refusal of one row is reported, and the other rows go on. Any other failure ends the run; the next one continues. */
const attempt = async (work: Work, what: string, write: () => Promise<void>): Promise<void> => {
  work.signal.throwIfAborted();
  try {
    await write();
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.outcomeUnknown || error.status === null) throw error;
    if (error.status >= 500 || OF_THE_KEY.includes(error.code)) throw error;
    const isWaiting = error.code === 'APPROVAL_PENDING';
    const refusal: Refused = { what, code: error.code, reason: error.message };
    (isWaiting ? work.waiting : work.refused).push(refusal);
    await work.state.append({ type: isWaiting ? 'waiting' : 'refused', ...refusal });
  }
  const { users, credits, orders } = work.written;
  work.onProgress(`Created ${users} users, ${credits} opening credits and ${orders} orders`);
};

const createUsers = async (work: Work): Promise<void> => {
  const { client, signal, plan, survey, state } = work;
  const missing = plan.users.filter(({ externalUserId }) => !survey.users.has(externalUserId));
  await eachOf(missing, ({ externalUserId, email, type, metadata, sourceId }: SourceUser) =>
    attempt(work, `user ${externalUserId}`, async () => {
      const user = await client.users.create(
        {
          externalUserId,
          ...(email === null ? {} : { email }),
          ...(type === null ? {} : { type }),
          metadata: { ...metadata, importId: plan.id, ...(sourceId === null ? {} : { importedFrom: sourceId }) },
        },
        { idempotencyKey: rowKey(plan.id, ['user', externalUserId]), signal },
      );
      survey.users.set(externalUserId, user);
      work.written.users++;
      await state.append({ type: 'user', externalUserId, id: user.id });
    }),
  );
};

/** The user of a row that depends on it; a user that was refused is reported once, with its rows. */
const userIdOf = (work: Work, { externalUserId, what }: { externalUserId: string; what: string }): string | null => {
  const user = work.survey.users.get(externalUserId);
  if (!user) work.refused.push({ what, code: 'USER_NOT_FOUND', reason: `The user ${externalUserId} was not created.` });
  return user?.id ?? null;
};

const creditBalances = async (work: Work): Promise<void> => {
  const { client, signal, plan, survey, state } = work;
  const missing = plan.money.filter(
    ({ externalUserId, currency, credit }) =>
      credit > 0n && !survey.money.get(balanceKey(externalUserId, currency))?.isCredited,
  );
  await eachOf(missing, async ({ externalUserId, currency, credit }: PlannedMoney) => {
    const what = `balance of ${externalUserId} in ${currency}`;
    const userId = userIdOf(work, { externalUserId, what });
    if (userId === null) return;
    await attempt(work, what, async () => {
      await client.balances.credit(
        userId,
        {
          amount: amountOf(credit),
          currency: currency as CurrencyCode,
          counterAccount: 'opening_balances',
          reference: referenceOf(plan.id),
          description: 'Opening balance',
        },
        { idempotencyKey: rowKey(plan.id, ['credit', externalUserId, currency]), signal },
      );
      work.written.credits++;
      await state.append({ type: 'credit', externalUserId, currency, amount: credit });
    });
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
    await attempt(work, `reservation of order ${order.sourceId}`, async () => {
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
    if (userId === null) return;
    await attempt(work, what, async () => {
      await client.balances.reserve(
        userId,
        {
          amount: amountOf(hold),
          currency: currency as CurrencyCode,
          orderId: referenceOf(plan.id),
          reason: 'Reserved in the old system',
        },
        { idempotencyKey: rowKey(plan.id, ['hold', externalUserId, currency]), signal },
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
  return eachOf(wanted, ({ externalUserId }) =>
    attempt(work, `suspension of ${externalUserId}`, async () => {
      await client.users.suspend(
        survey.users.get(externalUserId)!.id,
        { reason: 'Suspended in the old system' },
        { signal },
      );
      work.written.suspended++;
      await state.append({ type: 'suspended', externalUserId });
    }),
  );
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
  const work: Work = { ...parts, written, refused: [], waiting: [] };
  await recordBefore(work);
  await createUsers(work);
  await creditBalances(work);
  await importOrders(work);
  await holdReserved(work);
  await suspendUsers(work);
  return { written, refused: work.refused, waiting: work.waiting };
};
