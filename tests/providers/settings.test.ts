// The settings of the outside systems: what is refused, all of it at once, and where the adapters then look.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Config, type Env, readConfig } from '../../server/src/config/config.ts';
import { openProviders, SANDBOX, wantsSandbox } from '../../server/src/providers/providers.ts';
import { ledgerOf } from '../../tools/simulation/ledger-accounts.ts';
import { openSimulators, take } from './provider-fixture.ts';

function configOf(env: Env): Config {
  const read = readConfig(env);
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'));
  return read.config;
}

function problemsOf(env: Env): string[] {
  const read = readConfig(env);
  return read.ok ? [] : read.problems;
}

const REAL: Env = {
  ESCROW_PROVIDER_URL: 'https://escrow.example',
  ESCROW_PROVIDER_API_KEY: 'key',
  ESCROW_CODE_HASH_SINGLE: '0f'.repeat(32),
  ESCROW_CODE_HASH_MULTI: 'f0'.repeat(32),
  LEDGER_RPC_URL: 'https://rpc.example',
  PAYMENT_PROVIDER_URL: 'https://pay.example/v2',
  PAYMENT_PROVIDER_KEY: 'key',
  PAYMENT_PROVIDER_SECRET: 'secret',
  PAYMENT_PROVIDER_PAYER_URL: 'https://payer.example',
  PAYMENT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  ESCROW_WEBHOOK_SECRET: 'tw_whsec_0123456789abcdef0123456789',
  LEDGER_URL: 'https://horizon.example',
  LEDGER_NETWORK_PASSPHRASE: 'Test SDF Network ; September 2015',
  LEDGER_ASSET_ISSUER: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
};

test('without any address the sandbox is wanted, and its simulators are where the adapters look', () => {
  const config = configOf({});
  assert.equal(wantsSandbox(config), true);
  assert.equal(config.sandbox.port, 4010);
  const open = openProviders(config, { sandboxUrl: 'http://127.0.0.1:4010' });
  assert.ok(open.escrow && open.payment && open.network);
  assert.deepEqual([open.network.passphrase, open.asset.issuer], [SANDBOX.passphrase, SANDBOX.issuer]);
});

test('the sandbox’s credentials are those the simulators really have', async (t) => {
  const simulators = await openSimulators(t);
  assert.equal(ledgerOf(simulators.sandbox).issuer, SANDBOX.issuer);
  assert.equal(take(await simulators.network.networkInfo()).passphrase, SANDBOX.passphrase);
  take(await simulators.payment.balance());
});

test('one address, or SANDBOX=off, and there is no sandbox; SANDBOX=on has the last word', () => {
  assert.equal(wantsSandbox(configOf({ LEDGER_URL: 'http://127.0.0.1:8000' })), false);
  assert.equal(wantsSandbox(configOf({ SANDBOX: 'off' })), false);
  assert.equal(wantsSandbox(configOf({ SANDBOX: 'on', PAYMENT_PROVIDER_URL: 'http://127.0.0.1:8000' })), true);
  const none = openProviders(configOf({ SANDBOX: 'off' }), { sandboxUrl: null });
  assert.deepEqual([none.escrow, none.payment, none.network], [null, null, null]);
});

test('the real systems are a matter of settings alone', () => {
  const config = configOf({ ...REAL, HOST: '0.0.0.0', MASTER_KEY: 'v7Qm2xTz9LkRb4WnYc8HsDf3GjPa6EuK' });
  assert.equal(wantsSandbox(config), false);
  const open = openProviders(config, { sandboxUrl: null });
  assert.ok(open.escrow && open.payment && open.network);
  assert.deepEqual(
    [open.network.passphrase, open.asset],
    [REAL.LEDGER_NETWORK_PASSPHRASE, { code: 'USDC', issuer: REAL.LEDGER_ASSET_ISSUER }],
  );
});

test('what a real system needs and lacks is said all at once', () => {
  const { ESCROW_PROVIDER_URL, PAYMENT_PROVIDER_URL, LEDGER_URL } = REAL;
  const problems = problemsOf({ HOST: '0.0.0.0', ESCROW_PROVIDER_URL, PAYMENT_PROVIDER_URL, LEDGER_URL });
  assert.deepEqual(
    problems.map((problem) => problem.split(/[ ,]/)[0]),
    [
      'ESCROW_PROVIDER_API_KEY',
      'ESCROW_CODE_HASH_SINGLE',
      'LEDGER_RPC_URL',
      'PAYMENT_PROVIDER_KEY',
      'LEDGER_NETWORK_PASSPHRASE',
      'PAYMENT_WEBHOOK_SECRET',
    ],
  );
});

test('a server with a real escrow provider starts only with pinned contract code and a ledger that shows it', () => {
  for (const name of ['ESCROW_CODE_HASH_SINGLE', 'ESCROW_CODE_HASH_MULTI', 'LEDGER_RPC_URL']) {
    const { [name]: _, ...rest } = REAL;
    const problems = problemsOf(rest);
    assert.equal(problems.length, 1, name);
    assert.ok(problems[0]!.includes(name), problems[0]!);
  }
  assert.deepEqual(problemsOf(REAL), []);
  assert.deepEqual(problemsOf({ ESCROW_PROVIDER_URL: 'http://sandbox:4010/escrow-provider' }), []);
});

test('webhooks without a secret are for loopback only; the sandbox’s have their own', () => {
  const { PAYMENT_WEBHOOK_SECRET: _, ...rest } = REAL;
  assert.deepEqual(problemsOf(rest), []);
  for (const reach of [{ HOST: '0.0.0.0' }, { TRUST_PROXY: '1' }])
    assert.match(problemsOf({ ...rest, ...reach })[0] ?? '', /^PAYMENT_WEBHOOK_SECRET is missing/);
  assert.deepEqual(problemsOf({ HOST: '0.0.0.0' }), []);
});

test('a webhook secret that can be guessed is for loopback only', () => {
  for (const env of [{ ESCROW_WEBHOOK_SECRET: 'tw_whsec_short' }, { PAYMENT_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }]) {
    assert.deepEqual(problemsOf(env), []);
    assert.match(problemsOf({ ...env, HOST: '0.0.0.0' })[0] ?? '', /so short that it can be guessed/);
  }
});

test('a real escrow provider beside a sandbox ledger is refused, because its contracts live elsewhere', () => {
  const { LEDGER_URL: _, LEDGER_NETWORK_PASSPHRASE: __, LEDGER_ASSET_ISSUER: ___, ...rest } = REAL;
  const mixed = { ...rest, SANDBOX: 'on' };
  assert.match(problemsOf(mixed)[0] ?? '', /^SANDBOX is on and only one/);
});

test('the form of each secret is checked, and none is ever shown', () => {
  const wrong: Env[] = [
    { PAYMENT_WEBHOOK_SECRET: 'hunter2' },
    { PAYMENT_WEBHOOK_SECRET: 'whsec_' },
    { PAYMENT_WEBHOOK_SECRET: 'whsec_hunter2 hunter2 hunter2 hunter2' },
    { ESCROW_WEBHOOK_SECRET: 'hunter2hunter2hunter2' },
    { ESCROW_WEBHOOK_SECRET: 'whsec_' },
    { ESCROW_WEBHOOK_SECRET: '1whsec_hunter2hunter2hunter2' },
    { ESCROW_PROVIDER_API_KEY: 'hunter2 hunter2' },
    { PAYMENT_PROVIDER_SECRET: 'hunter2,' },
    { LEDGER_ASSET_ISSUER: 'GABC' },
    { SANDBOX_HOST: '0.0.0.0' },
    { PROVIDER_TIMEOUT_MS: '0' },
  ];
  for (const env of wrong) {
    const problems = problemsOf(env);
    assert.equal(problems.length, 1, JSON.stringify(env));
    assert.doesNotMatch(problems[0]!, /hunter2/);
  }
  for (const secret of ['whsec_short', 'trustless_work_whsec_0123456789abcdef']) {
    assert.equal(configOf({ ESCROW_WEBHOOK_SECRET: secret }).adapters.escrowWebhookSecret, secret);
  }
});
