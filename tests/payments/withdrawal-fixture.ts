// A server whose payment provider and ledger are simulators: tests create withdrawals, move them at the provider, read them
// on the ledger, and compare the money everywhere afterwards.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { balances, ledgerOf, settle } from '../../tools/simulation/ledger-accounts.ts';
import { until } from '../../tools/until.ts';
import { MASTER_KEY, type TestApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { activeAddressOf, assertProof, untilIdle } from '../support/checks.ts';
import {
  type Any,
  openPayments,
  openSharedPayments,
  type PaymentFixture,
  type SharedOptions,
} from './payment-fixture.ts';

type Options = Parameters<typeof openPayments>[1];

export type WithdrawalFixture = Awaited<ReturnType<typeof openSharedWithdrawals>>;

type Payout = { readonly id: string; readonly code: string; readonly status: string; readonly amount: number };

/** A server, a database and simulators of the test's own. */
export const openWithdrawals = async (t: TestContext, options: Options = {}) => {
  const fixture = await openPayments(t, options);
  return { ...fixture, ...withdrawalsIn(fixture) };
};

/** A marketplace of the test's own in the server of the process with these settings. */
export const openSharedWithdrawals = async (t: TestContext, options: SharedOptions = {}) => {
  const fixture = await openSharedPayments(t, options);
  return { ...fixture, ...withdrawalsIn(fixture) };
};

const withdrawalsIn = (fixture: PaymentFixture) => {
  const { app, sandbox, control } = fixture;
  const readAll = () => sandbox.describe().payouts as Payout[];
  const earlier = new Set(readAll().map(({ id }) => id));
  /** The master key acts on every server of the database. */
  const master = { key: MASTER_KEY, headers: { 'x-marketplace-id': app.marketplaceId } };

  const { expect, aPayee, aWithdrawal } = builderOf(app);

  const balance = async (userId: string, currency = 'USD', server: TestApp = app): Promise<string> => {
    const request = `GET /users/${userId}/balance?currency=${currency}`;
    const { available, reserved } = await builderOf(server).expect(request, { ...master, status: 200 });
    return `${available} + ${reserved}`;
  };

  const get = async (id: string, server: TestApp = app): Promise<Any> =>
    builderOf(server).expect(`GET /withdrawals/${id}`, { ...master, status: 200 });

  const untilStatus = async (id: string, status: string, server: TestApp = app): Promise<Any> => {
    await until(async () => (await get(id, server)).status === status, `the withdrawal is ${status}`);
    return get(id, server);
  };

  /** The payouts at the provider since the test began. */
  const payouts = () => readAll().filter(({ id }) => !earlier.has(id));

  return {
    expect,
    aPayee,
    aWithdrawal,
    balance,
    get,
    untilStatus,
    payouts,
    ...ledgerLooks(fixture),

    untilBalance: (userId: string, wanted: string): Promise<void> =>
      until(async () => (await balance(userId)) === wanted, `the balance is ${wanted}`),

    commit: async (id: string): Promise<Any> =>
      fixture.afterWebhooks(await expect(`POST /withdrawals/${id}/commit`, { status: 200 })),

    refresh: (id: string): Promise<Any> => expect(`POST /withdrawals/${id}/refresh`, { status: 200 }),

    payoutOf: (id: string) => payouts().find(({ code }) => code === id),

    untilPayout: (id: string, status: string): Promise<void> =>
      until(() => payouts().some((one) => one.code === id && one.status === status), `the payout is ${status}`),

    /** Moves the payout at the provider. Resolves after the first attempt to send its webhook. */
    move: (id: string, how: 'complete' | 'fail' | 'cancel' | 'require-action' | 'pend', reason?: string) =>
      control(`POST /payouts/${id}/${how}`, reason === undefined ? undefined : { reason }),
  };
};

const ledgerLooks = ({ app, sandbox, control, assertSettled }: PaymentFixture) => {
  const ledger = ledgerOf(sandbox);
  const atRest = () => untilIdle(app, ['ledger_transactions', 'treasury_payments']);
  return {
    ledger,

    /** The address of an account on the ledger that no marketplace owns. */
    outsideAddress: async (more: Parameters<typeof settle>[1] = {}): Promise<string> =>
      (await settle(ledger, more)).publicKey(),

    /** The USDC balance of an address. */
    dollarsAt: async (address: string): Promise<string | null> => (await balances(ledger, address)).usdc,

    addressOf: (userId: string): Promise<string> => activeAddressOf(app, userId),

    /** Sandbox money for the treasury, which is activated with the first wallet. */
    async fillTreasury(amount = '10000.00', asset = 'USDC'): Promise<string> {
      const find = async () =>
        (await app.sql("select address from wallets where owner = 'treasury' and status = 'ACTIVE'"))[0]?.address;
      await until(async () => (await find()) !== undefined, 'the treasury is active');
      const address = await find();
      await control('POST /faucet', { address, asset, amount });
      return address;
    },

    /** Waits until no ledger transaction and no treasury payment is in flight. */
    atRest,

    /** The proof of the books holds, and the books agree with the provider and with the ledger. */
    async assertSound(server: TestApp = app): Promise<void> {
      await atRest();
      // Asserts the comparison that ended the wait: a transaction that invalidates refused envelopes may follow at any time.
      let different: unknown[] = [];
      const isSame = async (): Promise<boolean> => {
        different = await compareBooksWithLedger({ sql: app.sql, state: sandbox.describe() });
        return different.length === 0;
      };
      await until(isSame, 'the ledger is what the books say').catch(() => {});
      assert.deepEqual(different, []);
      const floats = await app.sql("select 1 from accounts where id like 'payment-float:%'");
      await (floats.length > 0 ? assertSettled(server) : assertProof(server, app.marketplaceId));
    },
  };
};
