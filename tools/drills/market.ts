// A marketplace at work with the outside systems: orders with escrow and release, top-ups, withdrawals and credits, each by a
// worker with users of its own, so that in the end what everybody must have can be told to the cent.

import { Holdfast } from '@holdfast/sdk';
import type pg from 'pg';
import {
  liveOrder,
  newOrderLife,
  ORDER_CENTS,
  type OrderLife,
  type Refusals,
  SELLER_CENTS,
} from './order-scenarios.ts';
import {
  CREDIT_CENTS,
  liveCredit,
  liveWithdrawal,
  newTopup,
  type Parties,
  type PaymentLife,
  payTopup,
  TOPUP_CENTS,
  untilTold,
  WITHDRAWAL_CENTS,
} from './payment-scenarios.ts';
import type { Simulators } from './sandbox.ts';
import { forSeconds, type Stage, until } from './stage.ts';

export type Person = { readonly id: string; readonly hasCents: bigint };

export type Market = Parties & {
  readonly orders: readonly OrderLife[];
  readonly payments: Readonly<Record<PaymentKind, readonly PaymentLife[]>>;
  /** Attempts that no server answered, or that one which was going sent elsewhere. */
  repeated(): number;
  /** Those that were brought to their end. */
  ended(): number;
  /** Begins nothing new, and waits until everything that was begun has come to its end. */
  finish(): Promise<void>;
  /** What everybody must have when all is over. */
  people(): Person[];
};

type PaymentKind = 'credits' | 'topups' | 'withdrawals';

type Ask = {
  readonly url: string;
  readonly masterKey: string;
  readonly pool: pg.Pool;
  readonly simulators: Simulators;
  /** Whom the withdrawals go to, one worker each; a bank is told of by webhook only. */
  readonly withdrawTo: readonly ('crypto' | 'payment_account')[];
  /** How often the SDK repeats by itself; 0 shows every refusal. */
  readonly maxRetries?: number;
};

const BUYERS = 2;
const PAYERS = 1;
const GRANT = '1000.00';
const GRANT_CENTS = 100_000n;
const TREASURY = { USDC: '100000.00', XLM: '100000.00' } as const;
/** Enough to be at every step all the time, and not so much that the machine is what is drilled. */
const PAUSE_S = { credit: 0.05, payment: 0.3 } as const;

const ACTIVE = `select count(*)::int as wallets from wallets where owner = 'user' and status = 'ACTIVE'`;
const FILLED = `select count(distinct d.asset)::int as assets from deposits d join wallets w
  on w.marketplace_id = d.marketplace_id and w.id = d.wallet_id and w.owner = 'treasury'`;

const countOf = async (pool: pg.Pool, text: string): Promise<number> =>
  Number(Object.values((await pool.query(text)).rows[0])[0]);

const settle = async ({ client, pool, simulators }: Ask & { client: Holdfast }, names: readonly string[]) => {
  const ids: string[] = [];
  for (const name of names) {
    const { id } = await client.users.create({ externalUserId: name, email: `${name}@shop.example` });
    await client.balances.credit(id, { amount: GRANT, reference: `grant-${name}` });
    ids.push(id);
  }
  const { address } = await client.wallets.treasuryDeposit();
  for (const [asset, amount] of Object.entries(TREASURY)) {
    await until(
      async () => (await simulators.sendControl('POST /faucet', { address, asset, amount })) !== null,
      'a payment in',
    );
  }
  await until(async () => (await countOf(pool, FILLED)) === 2, 'the treasury is filled');
  await until(async () => (await countOf(pool, ACTIVE)) === names.length, 'all wallets are on the ledger');
  return ids;
};

export const openMarket = async (stage: Stage, ask: Ask): Promise<Market> => {
  let repeated = 0;
  const client = new Holdfast({
    url: ask.url,
    apiKey: ask.masterKey,
    maxRetries: ask.maxRetries ?? 0,
    onAttempt({ status }) {
      if (status === null || status === 503) repeated++;
    },
  });
  const refusals: Refusals = new Map();
  let isOver = false;
  const parties: Parties = { client, simulators: ask.simulators, refusals, isOver: () => isOver };
  const { withdrawTo } = ask;
  const names = ['seller', 'credited', ...withdrawTo.map((to, n) => `drawer-${n}-${to}`)];
  const more = [...Array.from({ length: BUYERS }, (_, n) => `buyer-${n}`)];
  more.push(...Array.from({ length: PAYERS }, (_, n) => `payer-${n}`));
  const ids = await settle({ ...ask, client }, [...names, ...more]);
  const [sellerId, credited] = ids as [string, string];
  const drawers = ids.slice(2, names.length);
  const buyers = ids.slice(names.length, names.length + BUYERS);
  const payers = ids.slice(names.length + BUYERS);

  const orders: OrderLife[] = [];
  const payments = { credits: [] as PaymentLife[], topups: [] as PaymentLife[], withdrawals: [] as PaymentLife[] };
  let opening = true;
  stage.afterwards(() => {
    opening = false;
    isOver = true;
  });
  const keepOn = async (live: (number: number) => Promise<unknown>): Promise<void> => {
    for (let number = 0; opening; number++) await live(number);
  };
  const keepOrdering = (buyerId: string) =>
    keepOn(async () => {
      // An order whose creation got no answer may exist: no money has moved, and no worker continues it.
      const life = await untilTold(parties, () =>
        newOrderLife(client, { buyerId, sellerId, refusals, isOver: parties.isOver }),
      );
      orders.push(life);
      await liveOrder(client, life);
    });
  const keepPaying = (userId: string, worker: number) =>
    keepOn(async (number) => {
      const comesBack = (number + worker) % 2 === 0 || !withdrawTo.includes('payment_account');
      const id = await newTopup(parties, userId);
      payments.topups.push(await payTopup(parties, { userId, id, comesBack }));
      await forSeconds(PAUSE_S.payment);
    });
  const keepDrawing = (userId: string, worker: number) =>
    keepOn(async () => {
      payments.withdrawals.push(await liveWithdrawal(parties, { userId, to: withdrawTo[worker]! }));
      await forSeconds(PAUSE_S.payment);
    });
  const keepCrediting = () =>
    keepOn(async () => {
      payments.credits.push(await liveCredit(parties, credited));
      await forSeconds(PAUSE_S.credit);
    });
  const working = Promise.all([
    ...buyers.map(keepOrdering),
    ...payers.map(keepPaying),
    ...drawers.map(keepDrawing),
    keepCrediting(),
  ]);
  // Told when it is waited for; until then it must not end the drill.
  working.catch(() => {});
  // With the first order the platform gets its wallet. What anybody was told before that is no part of the trouble.
  await until(() => orders.some(({ order }) => order.status === 'CLOSED'), 'the first order is closed');
  refusals.clear();

  const of = (lives: readonly PaymentLife[], userId: string): bigint =>
    BigInt(lives.filter((life) => life.userId === userId).length);
  const boughtBy = (userId: string): bigint => BigInt(orders.filter(({ order }) => order.buyerId === userId).length);
  const hasCents = (userId: string): bigint =>
    GRANT_CENTS +
    (userId === sellerId ? SELLER_CENTS * BigInt(orders.length) : 0n) -
    ORDER_CENTS * boughtBy(userId) +
    CREDIT_CENTS * of(payments.credits, userId) +
    TOPUP_CENTS * of(payments.topups, userId) -
    WITHDRAWAL_CENTS * of(payments.withdrawals, userId);
  return {
    ...parties,
    orders,
    payments,
    repeated: () => repeated,
    ended: () =>
      orders.filter(({ order }) => order.status === 'CLOSED').length +
      payments.topups.length +
      payments.withdrawals.length,
    async finish() {
      opening = false;
      await working;
    },
    people: () => ids.map((id) => ({ id, hasCents: hasCents(id) })),
  };
};

/** When so many more came to their end: everything works, and under load. */
export const endings = (market: Market, count: number): Promise<void> => {
  const wanted = market.ended() + count;
  return until(() => market.ended() >= wanted, `${count} more came to their end`);
};
