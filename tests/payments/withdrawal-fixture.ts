// A server whose payment provider and ledger are simulators: how tests make withdrawals, move them at the provider, watch them
// on the ledger, and look whether the money is the same everywhere afterwards.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { balances, ledgerOf, settle } from '../../tools/simulation/ledger-life.ts';
import { until } from '../../tools/until.ts';
import { type Ask, MASTER_KEY, type TestApp } from '../support/app.ts';
import {
  type Any,
  assertProof,
  openPayments,
  openSharedPayments,
  type PaymentFixture,
  type SharedOptions,
} from './payment-fixture.ts';

type Options = Parameters<typeof openPayments>[1];

export type WithdrawalFixture = Awaited<ReturnType<typeof openSharedWithdrawals>>;

type WithdrawalAsk = { userId?: string; body?: object } & Omit<Ask, 'body'>;

type Payout = { readonly id: string; readonly code: string; readonly status: string; readonly amount: number };

export const AMOUNT = '25.50';

let made = 0;

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

  const expect = async (request: string, { status, ...ask }: Ask & { status: number }, server: TestApp = app) => {
    const answer = await server.call(request, ask);
    assert.equal(answer.status, status, `${request}: ${answer.text}`);
    return answer.body.data;
  };

  /** A user with an e-mail and so much money. */
  const person = async (available = '100.00', ask: Ask & { currency?: string } = {}): Promise<string> => {
    const { currency = 'USD', ...rest } = ask;
    const body = { externalUserId: `person-${++made}`, email: `person-${made}@shop.example` };
    const { id } = await expect('POST /users', { ...rest, body, status: 201 });
    await expect(`POST /users/${id}/balance/credit`, { ...rest, body: { amount: available, currency }, status: 200 });
    return id;
  };

  const balance = async (userId: string, currency = 'USD', server: TestApp = app): Promise<string> => {
    const request = `GET /users/${userId}/balance?currency=${currency}`;
    const { available, reserved } = await expect(request, { ...master, status: 200 }, server);
    return `${available} + ${reserved}`;
  };

  const get = async (id: string, server: TestApp = app): Promise<Any> =>
    expect(`GET /withdrawals/${id}`, { ...master, status: 200 }, server);

  const untilStatus = async (id: string, status: string, server: TestApp = app): Promise<Any> => {
    await until(async () => (await get(id, server)).status === status, `the withdrawal is ${status}`);
    return get(id, server);
  };

  /** At the provider, since the test began. */
  const payouts = () => readAll().filter(({ id }) => !earlier.has(id));

  return {
    ...{ expect, person, balance, get, untilStatus, payouts },
    ...ledgerLooks(fixture),

    untilBalance: (userId: string, wanted: string): Promise<void> =>
      until(async () => (await balance(userId)) === wanted, `the balance is ${wanted}`),

    /** As the server answers it. */
    async withdrawal(ask: WithdrawalAsk = {}): Promise<Any> {
      const { userId = await person('100.00', ask.key === undefined ? {} : { key: ask.key }), body, ...rest } = ask;
      const all = { userId, amount: AMOUNT, currency: 'USD', destination: { type: 'bank' }, ...body };
      return expect('POST /withdrawals', { ...rest, body: all, status: 201 });
    },

    commit: async (id: string): Promise<Any> =>
      fixture.toldOf(await expect(`POST /withdrawals/${id}/commit`, { status: 200 })),

    refresh: (id: string): Promise<Any> => expect(`POST /withdrawals/${id}/refresh`, { status: 200 }),

    payoutOf: (id: string) => payouts().find(({ code }) => code === id),

    untilPayout: (id: string, status: string): Promise<void> =>
      until(() => payouts().some((one) => one.code === id && one.status === status), `the payout is ${status}`),

    /** The provider does something; resolves when its webhook was tried once. */
    move: (id: string, how: 'complete' | 'fail' | 'cancel' | 'require-action' | 'pend', reason?: string) =>
      control(`POST /payouts/${id}/${how}`, reason === undefined ? undefined : { reason }),
  };
};

const ledgerLooks = ({ app, sandbox, control, assertSettled }: PaymentFixture) => {
  const ledger = ledgerOf(sandbox);
  return {
    ledger,

    /** Somebody on the ledger whom we do not know. */
    stranger: async (more: Parameters<typeof settle>[1] = {}): Promise<string> =>
      (await settle(ledger, more)).publicKey(),

    /** What lies at an address, in dollars. */
    dollarsAt: async (address: string): Promise<string | null> => (await balances(ledger, address)).usdc,

    addressOf: async (userId: string): Promise<string> => {
      const find = async () => (await app.sql('select address, status from wallets where user_id = $1', [userId]))[0];
      await until(async () => (await find()).status === 'ACTIVE', 'the wallet is active');
      return (await find()).address;
    },

    /** Play money for the treasury, which lives once a wallet was needed. */
    async fillTreasury(amount = '10000.00', asset = 'USDC'): Promise<string> {
      const find = async () =>
        (await app.sql("select address from wallets where owner = 'treasury' and status = 'ACTIVE'"))[0]?.address;
      await until(async () => (await find()) !== undefined, 'the treasury lives');
      const address = await find();
      await control('POST /faucet', { address, asset, amount });
      return address;
    },

    /** Nothing of ours is on its way to the ledger. */
    atRest: () => atRest(app),

    /** The books prove, the provider holds what they have there, and so does every address of ours on the ledger. */
    async assertSound(server: TestApp = app): Promise<void> {
      await atRest(app);
      // Judged by the same look that ended the wait: a transaction that keeps refused envelopes out may follow at any time.
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

const atRest = (app: TestApp): Promise<void> =>
  until(async () => {
    const [row] = await app.sql(`select (select count(*)::int from ledger_transactions where state = 'SIGNED')
      + (select count(*)::int from treasury_payments where state in ('QUEUED', 'SENT')) as open`);
    return row.open === 0;
  }, 'all is at rest');
