// Several marketplaces at work at the same time: each has workers that credit users, and one that takes orders to their end. Every credit
// is written down before it is sent, and repeated until it is acknowledged; every attempt is kept with its answer and its time.

import { randomUUID } from 'node:crypto';
import { Holdfast, HoldfastError } from '@holdfast/sdk';
import { liveOrder, newOrderLife, type OrderLife, type Refusals, refuseAfterEnd } from '../order-scenarios.ts';
import { untilAnswered } from '../payment-scenarios.ts';
import { forSeconds, type Stage, until } from '../stage.ts';

type Credit = { readonly userId: string; readonly reference: string; readonly idempotencyKey: string };

type Attempt = {
  readonly beganAt: number;
  readonly tookMs: number;
  /** Null: acknowledged. */
  readonly refusal: { readonly code: string; readonly status: number } | null;
};

export type Shop = {
  readonly marketplaceId: string;
  readonly client: Holdfast;
  /** A user whose balance grows. */
  readonly creditedId: string;
  readonly acknowledged: readonly Credit[];
  readonly attempts: readonly Attempt[];
  readonly orders: readonly OrderLife[];
  /** When an order was closed. */
  readonly closedAt: readonly number[];
  /** Refusals of the orders, by code. */
  readonly refusals: Refusals;
  /** Begins nothing new, and waits until everything that was begun has ended. */
  finish(): Promise<void>;
};

const CREDITED = 2;
const PACE_S = 0.08;
const AGAIN_S = 0.1;
const ORDER_PAUSE_S = 0.3;
const GRANT = '10000.00';
/** A request that takes longer counts as not answered. */
const TIMEOUT_MS = 30_000;

const createPeople = async (client: Holdfast): Promise<{ buyerId: string; sellerId: string; credited: string[] }> => {
  const create = async (externalUserId: string) => (await client.users.create({ externalUserId })).id;
  const buyerId = await create('buyer');
  await client.balances.credit(buyerId, { amount: GRANT, reference: 'grant' });
  const credited: string[] = [];
  for (let n = 1; n <= CREDITED; n++) credited.push(await create(`credited-${n}`));
  return { buyerId, sellerId: await create('seller'), credited };
};

/** Sends a credit until it is acknowledged. */
const creditOnce = async (
  client: Holdfast,
  { credit, attempts, isOver }: { credit: Credit; attempts: Attempt[]; isOver: () => boolean },
): Promise<void> => {
  const { userId, reference, idempotencyKey } = credit;
  for (;;) {
    const beganAt = performance.now();
    const note = (refusal: Attempt['refusal']): void =>
      void attempts.push({ beganAt, tookMs: performance.now() - beganAt, refusal });
    try {
      await client.balances.credit(userId, { amount: '0.01', reference }, { idempotencyKey });
      note(null);
      return;
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      note({ code: error.code, status: error.status ?? 0 });
      refuseAfterEnd(isOver);
      await forSeconds(AGAIN_S);
    }
  }
};

export const openShop = async (
  stage: Stage,
  { marketplaceId, url, apiKey }: { marketplaceId: string; url: string; apiKey: string },
): Promise<Shop> => {
  const client = new Holdfast({ url, apiKey, maxRetries: 0, timeoutMs: TIMEOUT_MS });
  const { buyerId, sellerId, credited } = await createPeople(client);
  const acknowledged: Credit[] = [];
  const attempts: Attempt[] = [];
  const orders: OrderLife[] = [];
  const closedAt: number[] = [];
  const refusals: Refusals = new Map();
  let isOpen = true;
  let isOver = false;
  const parties = { refusals, isOver: () => isOver };
  const keepCrediting = async (userId: string): Promise<void> => {
    while (isOpen) {
      const credit = { userId, reference: randomUUID(), idempotencyKey: randomUUID() };
      await creditOnce(client, { credit, attempts, isOver: () => isOver });
      acknowledged.push(credit);
      await forSeconds(PACE_S);
    }
  };
  const keepOrdering = async (): Promise<void> => {
    while (isOpen) {
      const life = await untilAnswered(parties, () =>
        newOrderLife(client, { buyerId, sellerId, refusals, isOver: () => isOver }),
      );
      orders.push(life);
      await liveOrder(client, life);
      closedAt.push(performance.now());
      await forSeconds(ORDER_PAUSE_S);
    }
  };
  const working = Promise.all([...credited.map(keepCrediting), keepOrdering()]);
  // `finish` throws the error of a worker. Until then the error must not end the drill.
  working.catch(() => {});
  stage.afterwards(() => {
    isOpen = false;
    isOver = true;
  });
  return {
    marketplaceId,
    client,
    creditedId: credited[0]!,
    acknowledged,
    attempts,
    orders,
    closedAt,
    refusals,
    async finish() {
      isOpen = false;
      await working;
    },
  };
};

/** When each of them has so many more acknowledged credits and a closed order more: all work. */
export const shopsProgress = async (shops: readonly Shop[], credits: number): Promise<void> => {
  const before = new Map(
    shops.map((shop) => [shop, { credits: shop.acknowledged.length, closed: shop.closedAt.length }]),
  );
  await until(
    () =>
      shops.every(
        (shop) =>
          shop.acknowledged.length >= before.get(shop)!.credits + credits &&
          shop.closedAt.length > before.get(shop)!.closed,
      ),
    `${credits} more credits and an order more in each of ${shops.length} marketplaces`,
  );
};

/** What callers of some marketplaces saw in a stretch of time. */
export const seenBetween = (shops: readonly Shop[], { from, to }: { from: number; to: number }) => {
  const attempts = shops.flatMap((shop) => shop.attempts.filter(({ beganAt }) => beganAt >= from && beganAt < to));
  const refused = attempts.filter(({ refusal }) => refusal !== null);
  const times = attempts.map(({ tookMs }) => Math.round(tookMs)).sort((a, b) => a - b);
  const codes = [...Map.groupBy(refused, ({ refusal }) => `${refusal!.status} ${refusal!.code}`)];
  const isWithin = (at: number): boolean => at >= from && at < to;
  return {
    orders: shops.flatMap(({ closedAt }) => closedAt.filter(isWithin)).length,
    acknowledged: attempts.length - refused.length,
    refused: refused.length,
    statuses: new Set(refused.map(({ refusal }) => refusal!.status)),
    longestMs: times.at(-1) ?? 0,
    times: `answers after ${times[Math.floor(times.length / 2)] ?? 0} ms, the longest after ${times.at(-1) ?? 0} ms`,
    codes: codes.map(([code, of]) => `${of.length} ${code}`).join(', ') || 'no refusals',
  };
};
