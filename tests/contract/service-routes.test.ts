// GET /config, /health and /health/detailed: public, and free of anything secret.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

const PROBES = [
  'database',
  'committer',
  'stream',
  'jobs',
  'proof',
  'reconciliation',
  'treasury',
  'escrow-provider',
  'payment-provider',
  'ledger-network',
];

/** An address on loopback where nobody listens. */
const deadAddress = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
};

test('200 on all three without a key, and with a key that nobody has', async (t) => {
  const app = await openApp(t);
  for (const path of ['/config', '/health', '/health/detailed']) {
    for (const key of [null, 'nobody']) {
      const answer = await app.call(`GET ${path}`, { key });
      assert.equal(answer.status, 200, path);
      assert.deepEqual(Object.keys(answer.body), ['data', 'meta']);
      assert.equal(answer.body.meta.requestId, answer.headers.get('x-request-id'));
      assert.ok(answer.headers.get('x-ratelimit-remaining'));
    }
  }
});

test('/config shows what a caller has to know, as it is set', async (t) => {
  const app = await startApp(t, { env: { RATE_LIMIT_MAX: '77', BASE_CURRENCY: 'USDC', ORDER_AMOUNT_MAX: '500.00' } });
  const { data } = (await app.call('GET /config', { key: null })).body;
  const { limits, version, ...rest } = data;
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(rest, {
    apiVersion: 'v1',
    baseCurrency: 'USDC',
    currencies: ['USD', 'USDC', 'XLM'],
    platformFeePercent: 5,
    amounts: {
      order: { min: '0.01', max: '500.00' },
      topup: { min: '0.01', max: '10000000.00' },
      withdrawal: { min: '0.01', max: '10000000.00' },
    },
    rateLimit: { max: 77, windowSeconds: 60 },
    idempotencyRetentionHours: 24,
    eventRetentionDays: 30,
    sandbox: false,
  });
  assert.deepEqual([limits.pageSizeDefault, limits.pageSizeMax, limits.bodyBytes], [20, 100, 262_144]);
});

test('/health says that it is up and since when', async (t) => {
  const app = await openApp(t);
  const { data } = (await app.call('GET /health', { key: null })).body;
  assert.deepEqual(Object.keys(data), ['status', 'version', 'uptimeSeconds']);
  assert.equal(data.status, 'ok');
  assert.ok(Number.isInteger(data.uptimeSeconds) && data.uptimeSeconds >= 0);
});

test('/health/detailed names every part, and those that are not set up do no harm', async (t) => {
  const app = await openApp(t);
  const { data } = (await app.call('GET /health/detailed', { key: null })).body;
  assert.deepEqual(
    data.probes.map((probe: { name: string }) => probe.name),
    PROBES,
  );
  assert.equal(data.status, 'ok');
  for (const { name, status, detail, durationMs } of data.probes) {
    assert.equal(status, /provider|network/.test(name) ? 'not_configured' : 'ok', name);
    assert.ok(detail.endsWith('.') && Number.isInteger(durationMs), name);
  }
});

test('/health/detailed answers 200 and says so when a provider is dead, without naming its address', async (t) => {
  const address = await deadAddress();
  const app = await startApp(t, { env: { ESCROW_PROVIDER_URL: address } });
  const answer = await app.call('GET /health/detailed', { key: null });
  assert.equal(answer.status, 200);
  const probe = answer.body.data.probes.find((row: { name: string }) => row.name === 'escrow-provider');
  assert.deepEqual([probe.status, probe.detail], ['down', 'Cannot be reached.']);
  assert.equal(answer.body.data.status, 'down');
  assert.equal(answer.text.includes(new URL(address).port), false);
  assert.equal((await app.call('GET /health', { key: null })).body.data.status, 'ok');
});

test('nothing public tells a secret or a path', async (t) => {
  const app = await openApp(t);
  for (const path of ['/config', '/health', '/health/detailed']) {
    const { text } = await app.call(`GET ${path}`, { key: null });
    assert.equal(text.includes(MASTER_KEY), false);
    assert.equal(/\/(tmp|home|root|var)\b|postgres:/.test(text), false, text);
  }
});

test('405 METHOD_NOT_ALLOWED for another method, with the ones that are', async (t) => {
  const app = await openApp(t);
  const answer = await app.call('POST /health', { key: null });
  assert.deepEqual([answer.status, answer.body.error.code], [405, 'METHOD_NOT_ALLOWED']);
  assert.deepEqual(answer.body.error.details.allowedMethods, ['GET', 'HEAD']);
});

test('/health/detailed says when the ledger is another network than the one we sign for', async (t) => {
  const probeOf = async (env: Record<string, string>) => {
    const app = await startApp(t, { sandbox: true, env });
    const answer = await app.call('GET /health/detailed', { key: null });
    const { status, detail } = answer.body.data.probes.find(({ name }: { name: string }) => name === 'ledger-network');
    return [status, detail];
  };
  assert.deepEqual(await probeOf({}), ['ok', 'Answers.']);
  const [status, detail] = await probeOf({ LEDGER_NETWORK_PASSPHRASE: 'Another Network ; 2026' });
  assert.equal(status, 'down');
  assert.match(detail, /another network/);
});
