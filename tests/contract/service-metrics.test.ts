// GET /metrics: for the operator's own scraper. With METRICS_TOKEN: settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

const scrape = (app: TestApp, bearer?: string) =>
  fetch(`${app.url}/metrics`, bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } });

test('200 on loopback without a token, in the format of Prometheus', async (t) => {
  const app = await openApp(t);
  await app.aUser({ available: '5.00' });
  const response = await scrape(app);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
  const text = await response.text();
  assert.match(text, /^# HELP /m);
  assert.match(text, /^# TYPE /m);
  assert.match(text, /\/api\/v1\/users\/:userId\/balance\/credit/);
  assert.equal(/usr_[0-9A-Z]{26}|key_[0-9A-Z]{26}/.test(text), false, 'no id becomes a label');
});

test('the requests to the outside systems are counted by system and operation, and by nothing else', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const requests = async (): Promise<string[]> => {
    const text = await (await scrape(app)).text();
    return [...text.matchAll(/^holdfast_provider_requests_total\{(.*)\} [1-9]\d*$/gm)].map(([, one]) => one!);
  };
  await app.aUser();
  await until(async () => (await requests()).some((one) => one.startsWith('provider="ledger-network"')));
  const labels = await requests();
  for (const one of labels) assert.match(one, /^provider="[a-z-]+",operation="[a-z-]+"$/);
});
