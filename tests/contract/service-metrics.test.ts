// GET /metrics: for the operator's own scraper.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

const TOKEN = 'metrics-of-the-tests-0123456789abcdef';

const scrape = (app: TestApp, bearer?: string) =>
  fetch(`${app.url}/metrics`, bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } });

test('200 on loopback without a token, in the format of Prometheus', async (t) => {
  const app = await openApp(t);
  await app.user({ available: '5.00' });
  const response = await scrape(app);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
  const text = await response.text();
  assert.match(text, /^# HELP /m);
  assert.match(text, /^# TYPE /m);
  assert.match(text, /\/api\/v1\/users\/:userId\/balance\/credit/);
  assert.equal(/usr_[0-9A-Z]{26}|key_[0-9A-Z]{26}/.test(text), false, 'no id becomes a label');
});

test('401 without the token, with a wrong one and with an API key, once METRICS_TOKEN is set', async (t) => {
  const app = await startApp(t, { env: { METRICS_TOKEN: TOKEN } });
  for (const bearer of [undefined, `${TOKEN}x`, TOKEN.slice(1), MASTER_KEY, await app.key(['*'])]) {
    const response = await scrape(app, bearer);
    assert.equal(response.status, 401);
    const { error } = (await response.json()) as { error: { code: string } };
    assert.equal(error.code, 'UNAUTHORIZED');
  }
  assert.equal((await scrape(app, TOKEN)).status, 200);
});

test('the metrics token opens nothing else', async (t) => {
  const app = await startApp(t, { env: { METRICS_TOKEN: TOKEN } });
  assert.equal((await app.call('GET /users', { key: TOKEN })).status, 401);
});
