// What settings change in the answers of the API: one server that has them all, and one that cannot reach a provider.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { tradeIn } from './order-fixture.ts';

const TOKEN = 'metrics-of-the-tests-0123456789abcdef';
const LARGEST = '99999999999.98';

const server = shareInFile(async (t) =>
  startApp(t, {
    env: {
      BASE_CURRENCY: 'USDC',
      ESCROW_PROVIDER_URL: await unusedAddress(),
      METRICS_TOKEN: TOKEN,
      OPERATION_WAIT_MS: '1000',
      ORDER_AMOUNT_MAX: LARGEST,
      ORDER_AMOUNT_MIN: '5.00',
      RATE_LIMIT_MAX: '77777',
    },
  }),
);

/** An address of this machine where no program listens. */
const unusedAddress = async (): Promise<string> => {
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as { port: number };
  listening.close();
  await once(listening, 'close');
  return `http://127.0.0.1:${port}`;
};

test('/config shows what a caller has to know, as it is set', async () => {
  const { data } = (await server().call('GET /config', { key: null })).body;
  const { limits, version, ...rest } = data;
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(rest, {
    apiVersion: 'v1',
    baseCurrency: 'USDC',
    currencies: ['USD', 'USDC', 'XLM'],
    platformFeePercent: 5,
    amounts: {
      order: { min: '5.00', max: LARGEST },
      topup: { min: '0.01', max: '10000000.00' },
      withdrawal: { min: '0.01', max: '10000000.00' },
    },
    rateLimit: { max: 77_777, windowSeconds: 60 },
    idempotencyRetentionHours: 24,
    eventRetentionDays: 30,
    writeIncludes: ['treasury', 'payout'],
    sandbox: false,
  });
  assert.deepEqual([limits.pageSizeDefault, limits.pageSizeMax, limits.bodyBytes], [20, 100, 262_144]);
});

test('BASE_CURRENCY is the currency of a balance and of an order that names none', async () => {
  const app = server();
  const { buyerId, anOrder, figures } = await tradeIn(app, { available: '500.00' });
  const { data } = (await app.call(`GET /users/${buyerId}/balance`)).body;
  assert.deepEqual([data.currency, data.available], ['USDC', '500.00']);
  assert.equal((await anOrder()).currency, 'USDC');
  assert.deepEqual(await figures(), ['500.00', '0.00'], 'an order alone moves no money');
});

test('400 INVALID_AMOUNT for what is no amount or beyond the limits of /config, which it names', async () => {
  const { buyerId, sellerId, allRefused } = await tradeIn(server(), {});
  await allRefused(async (refused) => {
    for (const amount of [
      '0',
      '0.00',
      '-5',
      '1e1',
      '5.001',
      '',
      ' 5',
      '5,00',
      '4.99',
      '99999999999.99',
      '100000000000',
    ]) {
      const refusal = await refused('POST /orders', { body: { buyerId, sellerId, amount } });
      const details = { amount, min: '5.00', max: LARGEST, currency: 'USDC' };
      assert.deepEqual(refusal, { status: 400, code: 'INVALID_AMOUNT', details }, amount);
    }
  });
});

test('an order keeps the largest amounts exactly, also those of milestones', async () => {
  const { anOrder, done } = await tradeIn(server(), {});
  const { id } = await anOrder({ amount: LARGEST, milestones: [{ ref: 'all', title: 'All of it', amount: LARGEST }] });
  const shown = await done(`GET /orders/${id}`);
  assert.deepEqual([shown.amount, shown.milestones[0].amount], [LARGEST, LARGEST]);
});

test('504 PROVIDER_TIMEOUT after OPERATION_WAIT_MS for an escrow between users whose wallets are not on the ledger yet', async () => {
  const { app, anOrder, done } = await tradeIn(server(), { available: '500.00' });
  const { id } = await anOrder();
  const reserved = await done(`POST /orders/${id}/reserve`);
  const { status, body } = await app.call(`POST /orders/${id}/escrow`);
  assert.deepEqual([status, body.error.code], [504, 'PROVIDER_TIMEOUT']);
  assert.match(body.error.message, /active/);
  assert.deepEqual(await done(`GET /orders/${id}`), reserved);
});

test('METRICS_TOKEN: 401 on /metrics without it, with a wrong one and with an API key; it gives access to nothing else', async () => {
  const app = server();
  const scrape = (bearer?: string) =>
    fetch(`${app.url}/metrics`, bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } });
  for (const bearer of [undefined, `${TOKEN}x`, TOKEN.slice(1), MASTER_KEY, await app.key(['*'])]) {
    const response = await scrape(bearer);
    assert.equal(response.status, 401);
    const { error } = (await response.json()) as { error: { code: string } };
    assert.equal(error.code, 'UNAUTHORIZED');
  }
  assert.equal((await scrape(TOKEN)).status, 200);
  assert.equal((await app.call('GET /users', { key: TOKEN })).status, 401);
});

test('/health/detailed answers 200 and says so when a provider is down, without naming its address', async () => {
  const app = server();
  const answer = await app.call('GET /health/detailed', { key: null });
  assert.equal(answer.status, 200);
  const probe = answer.body.data.probes.find((row: { name: string }) => row.name === 'escrow-provider');
  assert.deepEqual([probe.status, probe.detail], ['down', 'Cannot be reached.']);
  assert.equal(answer.body.data.status, 'down');
  assert.equal(answer.text.includes('127.0.0.1'), false);
  assert.equal((await app.call('GET /health', { key: null })).body.data.status, 'ok');
});
