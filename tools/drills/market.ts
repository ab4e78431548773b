// A marketplace at work with the outside systems: orders with escrow and release, top-ups, withdrawals and credits. Each worker
// has users of its own, so the balance that every user must have in the end is known to the cent.

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
  untilAnswered,
  WITHDRAWAL_CENTS,
} from './payment-scenarios.ts';
import type { Simulators } from './sandbox.ts';
import { forSeconds, type Stage, until } from './stage.ts';

export type Person = { readonly id: string; readonly hasCents: bigint };

export type Market = Parties & {
  readonly orders: readonly OrderLife[];
  readonly payments: Readonly<Record<PaymentKind, readonly PaymentLife[]>>;
  /** Attempts without an answer, or answered with 503, as by a server that stops. */
  repeated(): number;
  /** The number of closed orders, finished top-ups and finished withdrawals. */
  ended(): number;
  /** Begins nothing new, and waits until everything that was begun has ended. */
  finish(): Promise<void>;
  /** The balance that every user must have in the end. */
  people(): Person[];
};

type PaymentKind = 'credits' | 'topups' | 'withdrawals';

type Ask = {
  readonly url: string;
  readonly masterKey: string;
  readonly pool: pg.Pool;
  readonly simulators: Simulators;
  /** The destinations of the withdrawals, one worker each. A bank is left out: only a webhook reports its payouts. */
  readonly withdrawTo: readonly ('crypto' | 'payment_account')[];
  /** How often the SDK retries; 0 shows every refusal. */
  readonly maxRetries?: number;
};

const BUYERS = 2;
const PAYERS = 1;
const GRANT = '1000.00';
const GRANT_CENTS = 100_000n;
const TREASURY = { USDC: '100000.00', XLM: '100000.00' } as const;
/** Enough load to have work at every step, and not so much that the drill only measures the machine. */
const PAUSE_S = { credit: 0.05, payment: 0.3 } as const;

const ACTIVE = `select count(*)::int as wallets from wallets where owner = 'user' and status = 'ACTIVE'`;
const TREASURY_ACTIVE = `select count(*)::int as wallets from wallets where owner = 'treasury' and status = 'ACTIVE'`;
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
  // The account exists before it accepts the asset: a payment between the two is refused.
  await until(async () => (await countOf(pool, TREASURY_ACTIVE)) === 1, 'the treasury accepts the asset');
  for (const [asset, amount] of Object.entries(TREASURY)) {
    await until(
      async () => (await simulators.sendControl('POST /faucet', { address, asset, amount })) !== null,
      'a payment in',
    );
  }
  await until(async () => (await countOf(pool, FILLED)) === 2, 'the treasury is filled');
  for (const id of ids) await client.wallets.deposit(id);
  await until(async () => (await countOf(pool, ACTIVE)) === names.length, 'all wallets are on the ledger');
  return ids;
};

type Users = {
  readonly ids: readonly string[];
  readonly sellerId: string;
  readonly creditedId: string;
  /** In the order of `withdrawTo`. */
  readonly drawers: readonly string[];
  readonly buyers: readonly string[];
  readonly payers: readonly string[];
};

const createUsers = async (ask: Ask & { client: Holdfast }): Promise<Users> => {
  const first = ['seller', 'credited', ...ask.withdrawTo.map((to, n) => `drawer-${n}-${to}`)];
  const buyerNames = Array.from({ length: BUYERS }, (_, n) => `buyer-${n}`);
  const payerNames = Array.from({ length: PAYERS }, (_, n) => `payer-${n}`);
  const ids = await settle(ask, [...first, ...buyerNames, ...payerNames]);
  return {
    ids,
    sellerId: ids[0]!,
    creditedId: ids[1]!,
    drawers: ids.slice(2, first.length),
    buyers: ids.slice(first.length, first.length + BUYERS),
    payers: ids.slice(first.length + BUYERS),
  };
};

type Work = Pick<Market, 'orders' | 'payments'> & {
  /** Ends when no worker begins anything new and everything that was begun has ended. */
  readonly working: Promise<unknown>;
};

/** Starts one worker per user. Each begins the next piece of work while `isOpen`. */
const startWork = (
  parties: Parties,
  { users, withdrawTo, isOpen }: { users: Users; withdrawTo: Ask['withdrawTo']; isOpen: () => boolean },
): Work => {
  const { client, refusals, isOver } = parties;
  const { sellerId } = users;
  const orders: OrderLife[] = [];
  const payments = { credits: [] as PaymentLife[], topups: [] as PaymentLife[], withdrawals: [] as PaymentLife[] };
  const keepOn = async (live: (number: number) => Promise<unknown>): Promise<void> => {
    for (let number = 0; isOpen(); number++) await live(number);
  };
  const keepOrdering = (buyerId: string) =>
    keepOn(async () => {
      // An order whose creation got no answer may exist: no money has moved, and no worker continues it.
      const life = await untilAnswered(parties, () => newOrderLife(client, { buyerId, sellerId, refusals, isOver }));
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
      payments.credits.push(await liveCredit(parties, users.creditedId));
      await forSeconds(PAUSE_S.credit);
    });
  const working = Promise.all([
    ...users.buyers.map(keepOrdering),
    ...users.payers.map(keepPaying),
    ...users.drawers.map(keepDrawing),
    keepCrediting(),
  ]);
  // `finish` throws the error of a worker. Until then the error must not end the drill.
  working.catch(() => {});
  return { orders, payments, working };
};

/** The balance that a user must have in the end, from the orders and payments of the workers. */
const expectedCents = (userId: string, { sellerId, orders, payments }: Pick<Users, 'sellerId'> & Work): bigint => {
  const countFor = (lives: readonly PaymentLife[]): bigint =>
    BigInt(lives.filter((life) => life.userId === userId).length);
  const bought = BigInt(orders.filter(({ order }) => order.buyerId === userId).length);
  return (
    GRANT_CENTS +
    (userId === sellerId ? SELLER_CENTS * BigInt(orders.length) : 0n) -
    ORDER_CENTS * bought +
    CREDIT_CENTS * countFor(payments.credits) +
    TOPUP_CENTS * countFor(payments.topups) -
    WITHDRAWAL_CENTS * countFor(payments.withdrawals)
  );
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
  let isOpen = true;
  let isOver = false;
  const parties: Parties = { client, simulators: ask.simulators, refusals, isOver: () => isOver };
  const users = await createUsers({ ...ask, client });
  stage.afterwards(() => {
    isOpen = false;
    isOver = true;
  });
  const work = startWork(parties, { users, withdrawTo: ask.withdrawTo, isOpen: () => isOpen });
  const { orders, payments } = work;
  const isClosed = ({ order }: OrderLife): boolean => order.status === 'CLOSED';
  // The platform gets its wallet with the first order. Refusals before that do not belong to the drill.
  await until(() => orders.some(isClosed), 'the first order is closed');
  refusals.clear();

  return {
    ...parties,
    orders,
    payments,
    repeated: () => repeated,
    ended: () => orders.filter(isClosed).length + payments.topups.length + payments.withdrawals.length,
    async finish() {
      isOpen = false;
      await work.working;
    },
    people: () => users.ids.map((id) => ({ id, hasCents: expectedCents(id, { ...work, sellerId: users.sellerId }) })),
  };
};

/** Waits until so many more orders, top-ups and withdrawals ended: everything works, and under load. */
export const endings = (market: Market, count: number): Promise<void> => {
  const wanted = market.ended() + count;
  return until(() => market.ended() >= wanted, `${count} more came to their end`);
};
