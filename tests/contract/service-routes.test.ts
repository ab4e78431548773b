// GET /config, /health and /health/detailed: public, and free of anything secret. What settings change in them: settings.

import assert from 'node:assert/strict';
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
  'escrow-events',
  'payment-alerts',
  'treasury',
  'ledger-fees',
  'payment-hold',
  'deposits',
  'escrow-provider',
  'payment-provider',
  'ledger-network',
];

test('200 on all three without a key, and with an unknown key', async (t) => {
  const app = await openApp(t);
  for (const path of ['/config', '/health', '/health/detailed']) {
    for (const key of [null, 'unknown']) {
      const answer = await app.call(`GET ${path}`, { key });
      assert.equal(answer.status, 200, path);
      assert.deepEqual(Object.keys(answer.body), ['data', 'meta']);
      assert.equal(answer.body.meta.requestId, answer.headers.get('x-request-id'));
      assert.ok(answer.headers.get('x-ratelimit-remaining'));
    }
  }
});

test('/health says that it is up and since when', async (t) => {
  const app = await openApp(t);
  const { data } = (await app.call('GET /health', { key: null })).body;
  assert.deepEqual(Object.keys(data), ['status', 'version', 'uptimeSeconds']);
  assert.equal(data.status, 'ok');
  assert.ok(Number.isInteger(data.uptimeSeconds) && data.uptimeSeconds >= 0);
});

test('/health/detailed names every part, and those that are not set up do no harm', async (t) => {
  // A shared server may have a break that another test has opened.
  const app = await startApp(t);
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

test('no public route shows a secret or a path', async (t) => {
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
  const probeOf = async (env: Record<string, string> | null) => {
    const app = env === null ? await openApp(t, { sandbox: true }) : await startApp(t, { sandbox: true, env });
    const answer = await app.call('GET /health/detailed', { key: null });
    const { status, detail } = answer.body.data.probes.find(({ name }: { name: string }) => name === 'ledger-network');
    return [status, detail];
  };
  assert.deepEqual(await probeOf(null), ['ok', 'Answers.']);
  const [status, detail] = await probeOf({ LEDGER_NETWORK_PASSPHRASE: 'Another Network ; 2026' });
  assert.equal(status, 'down');
  assert.match(detail, /another network/);
});
