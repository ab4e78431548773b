// For the tests of your own code: a marketplace of its own on a development server, with real books and the simulators of the outside
// systems. It refuses a server without simulators, so that a test never moves real money.

import { Holdfast } from './client.ts';
import { HoldfastError } from './errors.ts';
import type { Order } from './printed/order-records.ts';
import type { CreateOrderInput } from './printed/orders.ts';
import type { TopUp } from './printed/topups.ts';
import type { User } from './printed/users.ts';
import type { Withdrawal } from './printed/withdrawals.ts';
import { newKey, wait } from './waiting.ts';

export type TestMarketplaceOptions = {
  /** The address of a server with simulators, such as one that `npx holdfast dev` has started. */
  url: string;
  /** The master key of the server: it creates the marketplace. */
  masterKey: string;
};

export type TestMarketplace = {
  /** A client with a key of the new marketplace that has every scope. */
  readonly holdfast: Holdfast;
  readonly marketplaceId: string;
  /** The key, for the code that is tested. */
  readonly apiKey: string;
  /** A new user, with money when `credit` says so. */
  user(wanted?: { credit?: string }): Promise<User>;
  /** An order with a new buyer who has the money and a new seller, up to the funded escrow. */
  fundedOrder(wanted: Omit<CreateOrderInput, 'buyerId' | 'sellerId'>): Promise<Order>;
  /** The payer pays the top-up; returns it when the balance is credited. */
  payTopup(id: string): Promise<TopUp>;
  /** The payment provider pays the committed withdrawal; returns it when it is completed. */
  payWithdrawal(id: string): Promise<Withdrawal>;
  /** Moves the clock of the simulators, which all marketplaces of the server share. Deadlines that fall due are carried out. */
  advanceClock(by: { days?: number; hours?: number; seconds?: number }): Promise<void>;
  /** Waits until no operation of the marketplace is running and every committed withdrawal is with its payer. */
  quiet(): Promise<void>;
  /** Clears the faults of the simulators and revokes the key. */
  close(): Promise<void>;
};

const DAY_S = 86_400;
const HOUR_S = 3_600;
const QUIET_LOOK_MS = 100;
const QUIET_PATIENCE_MS = 60_000;
/** As many as the sandbox shows. */
const LOOKED_AT_MAX = 100;

/**
 * Opens a marketplace for a test, or for a file of tests. It begins empty: no users, no money, no events.
 *
 * @example
 * const shop = await openTestMarketplace({ url: 'http://127.0.0.1:4000', masterKey });
 * const order = await shop.fundedOrder({ amount: '40.00' });
 */
export const openTestMarketplace = async ({ url, masterKey }: TestMarketplaceOptions): Promise<TestMarketplace> => {
  const marketplaceId = `mkt_${newKey()}`;
  const master = new Holdfast({ url, apiKey: masterKey, marketplaceId });
  const { id: keyId, key: apiKey } = await master.keys.create({ name: 'tests', scopes: ['*'], marketplaceId });
  const holdfast = new Holdfast({ url, apiKey });
  await refuseRealMoney(holdfast, url);

  const user: TestMarketplace['user'] = async ({ credit } = {}) => {
    const created = await holdfast.users.create({ externalUserId: `user-${newKey()}` });
    if (credit) await holdfast.balances.credit(created.id, { amount: credit });
    return created;
  };

  return {
    holdfast,
    marketplaceId,
    apiKey,
    user,
    async fundedOrder(wanted) {
      const buyer = await user();
      const money = { amount: wanted.amount, ...(wanted.currency ? { currency: wanted.currency } : {}) };
      await holdfast.balances.credit(buyer.id, money);
      const seller = await user();
      const { id } = await holdfast.orders.create({ ...wanted, buyerId: buyer.id, sellerId: seller.id });
      await holdfast.orders.reserve(id);
      await holdfast.orders.createEscrow(id);
      return holdfast.orders.fundEscrow(id);
    },
    async payTopup(id) {
      await holdfast.sandbox.decidePayin(id, 'confirm');
      return holdfast.topups.waitFor(id);
    },
    async payWithdrawal(id) {
      await holdfast.sandbox.decidePayout(id, 'complete');
      return holdfast.withdrawals.waitFor(id);
    },
    async advanceClock({ days = 0, hours = 0, seconds = 0 }) {
      await holdfast.sandbox.advanceClock({ seconds: days * DAY_S + hours * HOUR_S + seconds });
    },
    quiet: () => becomeQuiet(holdfast),
    async close() {
      await holdfast.sandbox.clearFaults();
      await master.keys.revoke(keyId);
    },
  };
};

const refuseRealMoney = async (holdfast: Holdfast, url: string): Promise<void> => {
  try {
    await holdfast.sandbox.state();
  } catch (cause) {
    if (!(cause instanceof HoldfastError) || cause.status === null) throw cause;
    throw new Error(`The server at ${url} runs without simulators. Tests need one with them: npx holdfast dev`, {
      cause,
    });
  }
};

const runningOperation = async (holdfast: Holdfast): Promise<string | null> => {
  const { items } = await holdfast.operations.list({ state: 'RUNNING', limit: 1 }).page();
  const [running] = items;
  if (!running) return null;
  return `The operation ${running.kind} of ${running.orderId} still runs: ${running.lastProblem ?? 'no problem'}`;
};

/** A committed withdrawal that the ledger has not paid, or whose payout the payment provider does not have as committed. */
const runningWithdrawal = async (holdfast: Holdfast): Promise<string | null> => {
  const committed = await holdfast.withdrawals.list({ status: 'WITHDRAWAL_COMMITTED', limit: LOOKED_AT_MAX }).page();
  if (committed.items.length === 0) return null;
  const { payouts } = await holdfast.sandbox.state();
  const uncommitted = new Set(payouts.filter(({ status }) => status === 'CREATED').map((each) => each.withdrawalId));
  const running = committed.items.find(
    ({ id, destination, providerPayoutId }) =>
      destination.type === 'crypto' || providerPayoutId === null || uncommitted.has(id),
  );
  return running ? `The withdrawal ${running.id} is committed, and its payer has not taken it over` : null;
};

const becomeQuiet = async (holdfast: Holdfast): Promise<void> => {
  const until = performance.now() + QUIET_PATIENCE_MS;
  for (;;) {
    const running = (await runningOperation(holdfast)) ?? (await runningWithdrawal(holdfast));
    if (running === null) return;
    if (performance.now() > until) throw new Error(running);
    await wait(QUIET_LOOK_MS);
  }
};
