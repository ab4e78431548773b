// A server whose payment provider is a simulator, which sends webhooks to it. Tests create top-ups,
// move them at the provider, send webhooks themselves, and compare the money everywhere afterwards.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { Webhook } from 'standardwebhooks';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import type { PaymentProvider } from '../../server/src/providers/ports.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { type Answer, startApp, type TestApp } from '../support/app.ts';
import { builderOf, type NewPayment } from '../support/builder.ts';
import { assertProof } from '../support/checks.ts';
import { HURRIED } from '../support/shared-app.ts';
import {
  envFor,
  openPaymentServer,
  type PaymentServer,
  type PaymentSettings,
  SECRET,
} from '../support/shared-payments.ts';
import { controlOf } from '../support/simulators.ts';
import { floatDifference, reconcileFloat } from './payment-float.ts';

export { HURRIED, SECRET };

// biome-ignore lint/suspicious/noExplicitAny: answers and rows are read like JavaScript would
export type Any = any;

type Options = Omit<PaymentSettings, 'movesClock'> & {
  readonly spelling?: 'native' | 'neutral';
  /** False: the simulator sends no webhooks. */
  readonly webhooks?: boolean;
};

export type SharedOptions = Omit<Options, 'sandbox'> & Pick<PaymentSettings, 'movesClock'>;

type TestWebhook = { readonly type: string; readonly data: Record<string, unknown>; readonly eventId?: string };

export type PaymentFixture = Awaited<ReturnType<typeof openSharedPayments>>;

type Payin = { readonly id: string; readonly code: string; readonly status: string } & Record<string, Any>;

/** What a payment brings is the same at the provider and in the books. */
type AssertBalanced = () => Promise<void>;

/** Settings with every limit on payments, so that the tests of limits share a server. */
export const LIMITED = {
  PUBLIC_URL: 'https://pay.shop.example/',
  PAYMENT_ACTION_URL: 'https://app.pay.example',
  TOPUP_AMOUNT_MIN: '2.00',
  TOPUP_AMOUNT_MAX: '100.00',
  TOPUP_RATE_PER_MINUTE: '2',
  WITHDRAWAL_AMOUNT_MIN: '2.00',
  WITHDRAWAL_AMOUNT_MAX: '50.00',
  WITHDRAWAL_RATE_PER_MINUTE: '2',
};

let made = 0;

/** A server, a database and simulators for this test only. */
export const openPayments = async (t: TestContext, options: Options = {}) => {
  const sandbox = await startSandbox({ port: 0, ...options.sandbox });
  afterwards(t, () => sandbox.close());
  const env = envFor(sandbox, options);
  const app = await startApp(t, { env });
  const server = { app, sandbox, env };
  const assertBalanced = async (): Promise<void> => {
    const { seen, books, held } = await reconcileFloat(server);
    const floats = await app.sql(`select from accounts where id like 'payment-float:%'`);
    assert.ok(floats.length > 0, 'there is something');
    assert.deepEqual([seen, books], [[], held]);
  };
  const fixture = paymentsIn(server, { options, assertBalanced });
  return {
    ...fixture,
    reconcileFloat: (pass?: (payment: PaymentProvider) => PaymentProvider) => reconcileFloat(server, pass),
    /** Another server on the same database, after the first one has stopped. */
    async restart(): Promise<TestApp> {
      await app.close();
      const next = await startApp(t, { env, connection: app.connection });
      fixture.listenAt(next);
      return next;
    },
  };
};

/** A new marketplace in the shared server with these settings. */
export const openSharedPayments = async (t: TestContext, options: SharedOptions = {}) => {
  const server = await openPaymentServer(t, options);
  const earlier = await marketplacesBefore(server);
  const before = await floatDifference(server, earlier);
  // A job of this test polls every marketplace of the server, so it may book what an earlier test left at the provider.
  const assertBalanced = async (): Promise<void> => {
    const { difference, theirs } = await floatDifference(server, earlier);
    if (difference === 0n || difference === before.difference) return;
    const expected = before.difference - (theirs - before.theirs);
    assert.equal(difference, expected, 'the provider holds what the books have there');
  };
  const fixture = paymentsIn(server, { options, assertBalanced });
  const control = (how: string, body?: unknown): Promise<Any> => {
    const isForAll = how === 'POST /reset' || (how === 'POST /clock/advance' && options.movesClock !== true);
    assert.ok(!isForAll, `${how} would change the simulators of other tests`);
    return fixture.control(how, body);
  };
  return { ...fixture, control };
};

/** The marketplaces of earlier tests in the same server. */
const marketplacesBefore = async ({ app }: PaymentServer): Promise<string[]> => {
  const rows = await app.sql('select marketplace_id as id from public.marketplaces');
  return rows.map(({ id }) => id).filter((id) => id !== app.marketplaceId && id !== DEFAULT_MARKETPLACE);
};

type Kept = { readonly options: SharedOptions; readonly assertBalanced: AssertBalanced };

const paymentsIn = (server: PaymentServer, { options, assertBalanced }: Kept) => {
  const { app, sandbox, env } = server;
  const earlier = new Set(payinsAt(sandbox).map(({ id }) => id));

  const listenAt = ({ url }: Pick<TestApp, 'url'>): void => {
    const target = { url: `${url}/api/v1/webhooks/payment-provider`, secret: SECRET };
    sandbox.setWebhook({ ...target, spelling: options.spelling ?? 'neutral' });
  };
  if (options.webhooks !== false) listenAt(app);

  const control = controlOf(sandbox.urls.control);
  const { aTopup } = builderOf(app);

  /**
   * Waits until the provider's own webhooks have arrived. Each webhook may make the server poll, and the result of that poll
   * would depend on the speed of the test.
   */
  const afterWebhooks = async <T>(made: T): Promise<T> => {
    await sandbox.clock.advance(0);
    return made;
  };

  return {
    app,
    sandbox,
    env,
    control,
    afterWebhooks,
    listenAt,
    ...webhooksTo(app),
    ...recordsOf(app),
    arm: sandbox.faults.arm,

    aTopup: async (wanted: NewPayment = {}): Promise<Any> => afterWebhooks(await aTopup(wanted)),

    get: async (id: string): Promise<Any> => (await app.call(`GET /topups/${id}`)).body.data,

    /** The payments at the provider since the test began. */
    payins: (): Payin[] => payinsAt(sandbox).filter(({ id }) => !earlier.has(id)),

    /** Moves the payment at the provider. Resolves after the first attempt to send its webhook. */
    pay: (id: string, move: 'confirm' | 'process' | 'fail' | 'cancel', reason?: string) =>
      control(`POST /payins/${id}/${move}`, reason === undefined ? undefined : { reason }),

    available: async (userId: string, currency = 'USD'): Promise<string> =>
      (await app.call(`GET /users/${userId}/balance?currency=${currency}`)).body.data.available,

    /** The proof of the books holds in every marketplace of the test, and the float agrees with the provider's balance. */
    async assertSettled(on: TestApp = app): Promise<void> {
      await assertBalanced();
      const marketplaces = await app.sql('select marketplace_id as id from marketplaces');
      const others = marketplaces.filter(({ id }) => id !== app.marketplaceId && id !== DEFAULT_MARKETPLACE);
      for (const id of [app.marketplaceId, ...others.map((one) => one.id)]) await assertProof(on, id);
    },
  };
};

const payinsAt = (sandbox: Sandbox): Payin[] => sandbox.describe().payins as Payin[];

const webhooksTo = (app: TestApp) => {
  const sendWebhook = async (body: string, headers: Record<string, string>): Promise<Answer> =>
    app.call('POST /webhooks/payment-provider', { key: null, body, headers });
  return {
    sendWebhook,
    /** Sends a webhook with a signature like the provider's. */
    async deliver({ type, data, eventId = `event-${++made}` }: TestWebhook, at = new Date()): Promise<Answer> {
      const body = JSON.stringify({ eventId, eventType: type, occurredAt: at.toISOString(), data });
      return sendWebhook(body, signedHeaders(body, { id: eventId, at }));
    },
  };
};

const recordsOf = (app: TestApp) => ({
  /** Every event about the top-up and its user's balance, oldest first, as type and payload. */
  async eventsOf(topup: { id: string; userId: string }): Promise<[string, Any][]> {
    const rows = await app.sql(
      `select envelope from events where aggregate_id = $1 or aggregate_type = 'Balance' and aggregate_id = $2
       order by position`,
      [topup.id, topup.userId],
    );
    return rows.map(({ envelope }) => JSON.parse(envelope)).map(({ eventType, payload }) => [eventType, payload]);
  },

  audited: async (resourceId: string): Promise<Any[]> =>
    app.sql('select * from audit_entries where resource_id = $1 order by marketplace_id, seq', [resourceId]),
});

export const signedHeaders = (
  body: string,
  {
    id,
    at = new Date(),
    secret = SECRET,
    prefix = 'svix',
  }: { id: string; at?: Date; secret?: string; prefix?: string },
): Record<string, string> => ({
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1_000)),
  [`${prefix}-signature`]: new Webhook(secret).sign(id, at, body),
});
