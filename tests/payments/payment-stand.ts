// A server whose payment provider is a twin, with the twin's webhooks on their way to it: how tests make top-ups, move
// them at the provider, tell of them by hand, and look whether the money is the same everywhere afterwards.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/src/sandbox-config.ts';
import { readConfig } from '../../server/src/config.ts';
import { sumOf } from '../../server/src/domain/amounts.ts';
import { formatExact, minus, plus } from '../../server/src/domain/money.ts';
import { reconcile } from '../../server/src/jobs/reconcile.ts';
import { createFloatBalance } from '../../server/src/operations/float-balance.ts';
import { openNeighbours } from '../../server/src/providers/neighbours.ts';
import type { PaymentProvider } from '../../server/src/providers/ports.ts';
import { createBreaks, type SeenBreak } from '../../server/src/store/breaks.ts';
import { openPool } from '../../server/src/store/connection.ts';
import { createBreakReads } from '../../server/src/store/reads/breaks.ts';
import { afterwards } from '../support/afterwards.ts';
import { type Answer, type Ask, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';

export const SECRET = `whsec_${Buffer.from('a secret of the payment tests').toString('base64')}`;

// biome-ignore lint/suspicious/noExplicitAny: answers and rows are read like JavaScript would
export type Any = any;

type Options = {
  readonly env?: Record<string, string>;
  readonly sandbox?: SandboxOptions;
  readonly spelling?: 'native' | 'neutral';
  /** False: the twin tells nobody. */
  readonly webhooks?: boolean;
  /** With the twin's ledger too. */
  readonly ledger?: boolean;
};

export type Told = { readonly type: string; readonly data: Record<string, unknown>; readonly eventId?: string };

export type PaymentStand = Awaited<ReturnType<typeof openPayments>>;

let made = 0;

const envFor = (sandbox: Sandbox, env: Record<string, string> = {}) => ({
  PAYMENT_PROVIDER_URL: sandbox.urls.payment,
  PAYMENT_PROVIDER_RATE_PER_SECOND: '0',
  PAYMENT_WEBHOOK_SECRET: SECRET,
  ...env,
});

export const openPayments = async (t: TestContext, options: Options = {}) => {
  const sandbox = await startSandbox({ port: 0, ...options.sandbox });
  afterwards(t, () => sandbox.close());
  const env = envFor(sandbox, { ...(options.ledger ? { LEDGER_URL: sandbox.urls.ledger } : {}), ...options.env });
  const app = await startApp(t, { env });

  const listenAt = ({ url }: TestApp): void => {
    const target = { url: `${url}/api/v1/webhooks/payment-provider`, secret: SECRET };
    sandbox.setWebhook({ ...target, spelling: options.spelling ?? 'neutral' });
  };
  if (options.webhooks !== false) listenAt(app);

  const control = async (how: string, body?: unknown): Promise<Any> => {
    const [method, path] = how.split(' ') as [string, string];
    const answer = await fetch(`${sandbox.urls.control}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${how}: ${text}`);
    return JSON.parse(text || 'null');
  };

  /**
   * What the provider tells of by itself has arrived. The server may ask because of it, and what it heard then would depend on
   * how soon the test goes on.
   */
  const toldOf = async <T>(made: T): Promise<T> => {
    await sandbox.clock.advance(0);
    return made;
  };

  const tell = async (body: string, headers: Record<string, string>): Promise<Answer> =>
    app.call('POST /webhooks/payment-provider', { key: null, body, headers });

  /** What the books have at the provider against what it holds, looked at once; `pass` may stand between us and it. */
  const reconcileFloat = async (pass = (payment: PaymentProvider): PaymentProvider => payment) => {
    const pool = openPool(app.connection, { max: 2, onError() {} });
    const read = readConfig(env);
    assert.ok(read.ok);
    const payment = openNeighbours(read.config, { sandboxUrl: null }).payment!;
    const reads = createBreakReads(pool);
    const seen: SeenBreak[] = [];
    const job = reconcile({
      wallets: async () => [],
      compare: async () => ({ kind: 'unknown' }),
      arePending: async () => ({ kind: 'unknown' }),
      depositPatienceMs: 0,
      breaks: createBreaks(pool),
      lookAtFloat: createFloatBalance({ payment: pass(payment), reads }),
      onBreak: (one) => void seen.push(one),
    });
    try {
      await job.run();
      const books = sumOf((await reads.floats()).map(({ amount }) => amount));
      const balance = await payment.balance();
      assert.ok(balance.kind === 'yes');
      const held = plus(balance.value.available, balance.value.pending);
      return { seen: seen.map((one) => formatExact(minus(one.actual, one.expected))), books, held };
    } finally {
      await pool.end();
    }
  };

  return {
    app,
    sandbox,
    reconcileFloat,
    env,
    control,
    toldOf,
    listenAt,
    arm: sandbox.faults.arm,

    /** A user's top-up, as the server answers it. */
    async topup(ask: { userId?: string; body?: object } & Omit<Ask, 'body'> = {}): Promise<Any> {
      const { userId = await app.user(), body, ...rest } = ask;
      const answer = await app.call('POST /topups', { ...rest, body: { userId, amount: '25.50', ...body } });
      assert.equal(answer.status, 201, answer.text);
      return toldOf(answer.body.data);
    },

    get: async (id: string): Promise<Any> => (await app.call(`GET /topups/${id}`)).body.data,

    /** The payer, or the provider, does something; resolves when its webhook was tried once. */
    pay: (id: string, move: 'confirm' | 'process' | 'fail' | 'cancel', reason?: string) =>
      control(`POST /payins/${id}/${move}`, reason === undefined ? undefined : { reason }),

    /** A webhook of our own, signed as the provider does. */
    async deliver({ type, data, eventId = `event-${++made}` }: Told, at = new Date()): Promise<Answer> {
      const body = JSON.stringify({ eventId, eventType: type, occurredAt: at.toISOString(), data });
      return tell(body, signedHeaders(body, { id: eventId, at }));
    },
    tell,

    available: async (userId: string, currency = 'USD'): Promise<string> =>
      (await app.call(`GET /users/${userId}/balance?currency=${currency}`)).body.data.available,

    /** Every event about the top-up and its user's balance, oldest first, as type and payload. */
    async told(topup: { id: string; userId: string }): Promise<[string, Any][]> {
      const rows = await app.sql(
        `select envelope from events where aggregate_id = $1 or aggregate_type = 'Balance' and aggregate_id = $2
         order by position`,
        [topup.id, topup.userId],
      );
      return rows.map(({ envelope }) => JSON.parse(envelope)).map(({ eventType, payload }) => [eventType, payload]);
    },

    audited: async (resourceId: string): Promise<Any[]> =>
      app.sql('select * from audit_entries where resource_id = $1 order by marketplace_id, seq', [resourceId]),

    /** Another server on the same database, after the first one is gone. */
    async restart(): Promise<TestApp> {
      await app.close();
      const next = await startApp(t, { env, connection: app.connection });
      listenAt(next);
      return next;
    },

    /** The books prove, no break is open, and what they have at the provider is what it says itself. */
    async assertSettled(server: TestApp = app): Promise<void> {
      const { seen, books, held } = await reconcileFloat();
      assert.ok(
        (await app.sql(`select from accounts where id like 'payment-float:%'`)).length > 0,
        'there is something',
      );
      assert.deepEqual([seen, books], [[], held]);
      const marketplaces = await app.sql('select marketplace_id as id from marketplaces');
      for (const { id } of marketplaces) {
        const { body } = await server.call('GET /audit/proof', {
          key: MASTER_KEY,
          headers: { 'x-marketplace-id': id },
        });
        assert.equal(body.data.holds, true, JSON.stringify(body.data.checks));
      }
    },
  };
};

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
