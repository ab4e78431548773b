// One server for all tests of a process that use the payment provider: its payment provider, and its ledger where a test
// needs one, are simulators that the test can script. Each test has a marketplace of its own. Faults and the receiver of
// webhooks are those of the test that runs, because the tests of a process run one after the other.

import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/src/sandbox-config.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { atTheEnd } from '../../tools/test-database/at-the-end.ts';
import { type Ask, MASTER_KEY, type TestApp } from './app.ts';
import { openMarketplace, type SharedServer, startSharedServer } from './shared-app.ts';

export const SECRET = `whsec_${Buffer.from('a secret of the payment tests').toString('base64')}`;

/** Tests with equal settings share a server. */
export type PaymentSettings = {
  readonly env?: Record<string, string>;
  /** With the ledger's simulator too. */
  readonly ledger?: boolean;
  /** The test moves the clock of the simulators forward, where only tests that do the same see it. */
  readonly movesClock?: boolean;
  readonly sandbox?: SandboxOptions;
};

export type PaymentServer = {
  readonly app: TestApp;
  readonly sandbox: Sandbox;
  readonly env: Record<string, string>;
};

type Shared = Omit<PaymentServer, 'app'> & { readonly server: SharedServer };

const servers = new Map<string, Promise<Shared>>();

/** The settings of a server whose payment provider is a simulator. */
export const envFor = (sandbox: Sandbox, { env, ledger }: PaymentSettings): Record<string, string> => ({
  PAYMENT_PROVIDER_URL: sandbox.urls.payment,
  PAYMENT_PROVIDER_RATE_PER_SECOND: '0',
  PAYMENT_WEBHOOK_SECRET: SECRET,
  LEDGER_RATE_PER_MINUTE: '0',
  ...(ledger ? { LEDGER_URL: sandbox.urls.ledger } : {}),
  ...env,
});

/** A marketplace of the test's own in the shared server with these settings. */
export const openPaymentServer = async (t: Hooks, settings: PaymentSettings): Promise<PaymentServer> => {
  const { env = {}, ledger = false, movesClock = false, sandbox: simulators = {} } = settings;
  const key = JSON.stringify([Object.entries(env).sort(), ledger, movesClock, simulators]);
  const shared = servers.get(key) ?? start(settings);
  servers.set(key, shared);
  const { server, ...rest } = await shared;
  afterwards(t, () => {
    rest.sandbox.faults.clear();
    rest.sandbox.setWebhook(null);
  });
  const app = openMarketplace(t, server);
  await grantCreditLine(app);
  return { app, ...rest };
};

/** Money that tests credit by hand is not at the provider, so their payouts need a credit line. */
export const grantCreditLine = async (app: TestApp, ask: Pick<Ask, 'key'> = {}): Promise<void> => {
  const { marketplaceId } = (await app.call('GET /auth/me', ask)).body.data;
  const body = { amount: '1000000.00', currency: 'USD' };
  const answer = await app.call(`PUT /marketplaces/${marketplaceId}/credit-line`, { key: MASTER_KEY, body });
  if (answer.status !== 200) throw new Error(answer.text);
};

const start = async (settings: PaymentSettings): Promise<Shared> => {
  const sandbox = await startSandbox({ port: 0, ...settings.sandbox });
  atTheEnd(() => sandbox.close());
  const env = envFor(sandbox, settings);
  const server = await startSharedServer({ env });
  await openFloat(server);
  return { server, sandbox, env };
};

/** The first top-up books what the provider held before it. No test is the first one in a shared server. */
const openFloat = async ({ app }: SharedServer): Promise<void> => {
  const key = await app.key(['*'], 'mkt_first');
  const body = { userId: await app.aUser({ key }), amount: '100.00', currency: 'USD' };
  const answer = await app.call('POST /topups', { key, body });
  if (answer.status !== 201) throw new Error(answer.text);
};
