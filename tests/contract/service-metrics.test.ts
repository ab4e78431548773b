// GET /metrics: for the operator's own scraper. With METRICS_TOKEN: settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { ALLOWED, anEndpoint } from '../webhooks/fixture.ts';

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

test('webhook endpoints are counted by status, with what waits, and without their marketplaces', async (t) => {
  const app = await startApp(t, { env: ALLOWED });
  const gauges = async (): Promise<Record<string, number>> => {
    const lines = (await (await scrape(app)).text()).matchAll(/^(holdfast_webhook_(?!delivery_)\S+) (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
  };
  assert.deepEqual(await gauges(), {
    'holdfast_webhook_endpoints{status="active"}': 0,
    'holdfast_webhook_endpoints{status="failing"}': 0,
    'holdfast_webhook_endpoints{status="disabled"}': 0,
    holdfast_webhook_backlog_events: 0,
    holdfast_webhook_deliveries_pending: 0,
  });
  const broken = await anEndpoint(t, app);
  await anEndpoint(t, app, { events: ['order.*'] });
  await anEndpoint(t, app, { enabled: false });
  broken.receiver.answer({ status: 500 });
  for (let at = 0; at < 6; at += 1) await app.aUser();
  await until(async () => (await broken.read()).status === 'FAILING');
  const failing = await gauges();
  assert.equal(failing['holdfast_webhook_endpoints{status="active"}'], 1);
  assert.equal(failing['holdfast_webhook_endpoints{status="failing"}'], 1);
  assert.equal(failing['holdfast_webhook_endpoints{status="disabled"}'], 1);
  assert.ok(failing.holdfast_webhook_deliveries_pending! >= 5);
  assert.match(
    await (await scrape(app)).text(),
    /holdfast_webhook_delivery_duration_seconds_count\{outcome="failed"\}/,
  );

  await app.call(`PATCH /webhook-endpoints/${broken.id}`, { body: { enabled: false } });
  const after = await gauges();
  assert.equal(after['holdfast_webhook_endpoints{status="disabled"}'], 2);
  assert.equal(after['holdfast_webhook_endpoints{status="failing"}'], 0);
});

test('the backlog of webhooks is what enabled endpoints have not passed', async (t) => {
  const app = await startApp(t, { env: ALLOWED });
  const backlog = async (): Promise<number> =>
    Number(/^holdfast_webhook_backlog_events (\d+)$/m.exec(await (await scrape(app)).text())?.[1]);
  const endpoint = await anEndpoint(t, app);
  await app.aUser();
  await until(async () => (await backlog()) === 0 && endpoint.receiver.received.length === 1);
  // A receiver that never answers keeps its event, and the cursor does not move on.
  endpoint.receiver.answer(null);
  await app.aUser();
  await endpoint.receiver.count(2);
  assert.ok((await backlog()) >= 1);
});
