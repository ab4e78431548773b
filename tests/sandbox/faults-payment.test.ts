// Every fault that can be armed for the payment provider, as a client meets it. The webhook faults are in
// payment-webhooks.test.ts, those of the ledger and the escrow provider in their own files.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf, openSandbox, payinBody, paymentOf, payoutBody, shareSandbox } from './payment-client.ts';

const emptySandbox = shareSandbox();

async function open() {
  const sandbox = await emptySandbox();
  const api = paymentOf(sandbox.url);
  const arm = (operation: string, fault: string, more = {}) => sandbox.faults.arm({ operation, fault, ...more });
  return { sandbox, api, arm, control: controlOf(sandbox.url) };
}

type Opened = Awaited<ReturnType<typeof open>>;
type Step = { operation: string; call: string; body?: unknown; done: (opened: Opened) => Promise<boolean> };

const statusOf = async ({ api }: Opened, path: string) => (await api(`GET ${path}`)).body.status;

// One call of each operation, with how to see whether it happened.
async function steps(opened: Opened): Promise<Step[]> {
  const { api } = opened;
  const payin = (await api('POST /payins', payinBody('old'))).body.id;
  const payout = (await api('POST /payouts', payoutBody('old'))).body.id;
  const never = async () => false;
  return [
    {
      operation: 'payin',
      call: 'POST /payins',
      body: payinBody('new'),
      done: async () => (await statusOf(opened, '/payins/by-code/new')) === 'CREATED',
    },
    { operation: 'payin-get', call: `GET /payins/${payin}`, done: never },
    {
      operation: 'payin-cancel',
      call: `DELETE /payins/${payin}`,
      done: async () => (await statusOf(opened, `/payins/${payin}`)) === 'CANCELED',
    },
    {
      operation: 'payout',
      call: 'POST /payouts',
      body: payoutBody('new'),
      done: async () => (await statusOf(opened, '/payouts/by-code/new')) === 'CREATED',
    },
    { operation: 'payout-get', call: `GET /payouts/${payout}`, done: never },
    {
      operation: 'payout-commit',
      call: `POST /payouts/${payout}/commit`,
      done: async () => (await statusOf(opened, `/payouts/${payout}`)) === 'COMMITTED',
    },
  ];
}

test('timeout: the caller waits until it gives up, and nothing happened', async () => {
  const { api, arm } = await open();
  arm('payin', 'timeout');
  const patience = api('POST /payins', payinBody('top_1'), { signal: AbortSignal.timeout(300) });
  await assert.rejects(patience, { name: 'TimeoutError' });
  assert.equal((await api('GET /payins/by-code/top_1')).status, 404);
});

test('timeout with a delay: no call is answered, the connection is cut after it, and nothing happened', async () => {
  const opened = await open();
  for (const { operation, call, body, done } of await steps(opened)) {
    opened.arm(operation, 'timeout', { delayMs: 10 });
    await assert.rejects(opened.api(call, body), /fetch failed/, operation);
    assert.equal(await done(opened), false, operation);
  }
});

test('refusal: every call is refused with the provider’s error, and nothing happened', async () => {
  const opened = await open();
  for (const { operation, call, body, done } of await steps(opened)) {
    opened.arm(operation, 'refusal');
    const answer = await opened.api(call, body);
    assert.deepEqual([answer.status, answer.body.code], [422, '415903'], operation);
    assert.equal(await done(opened), false, operation);
  }
});

test('outage: every connection is cut, and nothing happened', async () => {
  const opened = await open();
  for (const { operation, call, body, done } of await steps(opened)) {
    opened.arm(operation, 'outage');
    await assert.rejects(opened.api(call, body), /fetch failed/, operation);
    assert.equal(await done(opened), false, operation);
  }
});

test('slow: every call is answered, after the delay', async () => {
  const opened = await open();
  for (const { operation, call, body } of await steps(opened)) {
    opened.arm(operation, 'slow', { delayMs: 60 });
    const started = performance.now();
    assert.ok((await opened.api(call, body)).status < 300, operation);
    assert.ok(performance.now() - started >= 55, operation);
  }
});

test('lost-answer: the call is not answered, and it happened', async () => {
  const opened = await open();
  for (const { operation, call, body, done } of await steps(opened)) {
    if (operation.endsWith('-get')) continue;
    opened.arm(operation, 'lost-answer', { delayMs: 10 });
    await assert.rejects(opened.api(call, body), /fetch failed/, operation);
    assert.equal(await done(opened), true, operation);
  }
});

test('http-200-failed: the call is answered with 200, and the record is FAILED', async () => {
  const opened = await open();
  for (const { operation, call, body } of await steps(opened)) {
    if (operation.endsWith('-get')) continue;
    opened.arm(operation, 'http-200-failed');
    const answer = await opened.api(call, body);
    assert.deepEqual([answer.status, answer.body.status], [200, 'FAILED'], operation);
    const kind = operation.startsWith('payin') ? 'payins' : 'payouts';
    assert.equal(await statusOf(opened, `/${kind}/${answer.body.id}`), 'FAILED', operation);
  }
  assert.equal((await opened.api('GET /me/balance')).body.pending, 0);
});

test('wrong-amount: a new payin is over one unit more, and that is what is paid', async () => {
  const { api, arm, control } = await open();
  const before = (await api('GET /me/balance')).body.available;
  arm('payin', 'wrong-amount');
  assert.equal((await api('POST /payins', payinBody('top_1', 25.5))).body.amount, 26.5);
  await control('POST /payins/top_1/confirm');
  assert.equal((await api('GET /me/balance')).body.available, before + 26.5);
});

test('wrong-amount: a read shows another amount, and only that once', async () => {
  const { api, arm } = await open();
  const payin = (await api('POST /payins', payinBody('top_1', 25.5))).body;
  const payout = (await api('POST /payouts', payoutBody('wdr_1'))).body;
  arm('payin-get', 'wrong-amount');
  assert.equal((await api(`GET /payins/${payin.id}`)).body.amount, 26.5);
  assert.equal((await api(`GET /payins/${payin.id}`)).body.amount, 25.5);
  arm('payout-get', 'wrong-amount');
  assert.equal((await api('GET /payouts/by-code/wdr_1')).body.amount, 41);
  assert.equal((await api(`GET /payouts/${payout.id}`)).body.amount, 40);
});

test('wrong-amount: a payout or its commitment pays one unit more', async () => {
  const { api, arm } = await open();
  arm('payout', 'wrong-amount');
  assert.equal((await api('POST /payouts', payoutBody('wdr_1', { commit: true }))).body.amount, 41);
  const { id } = (await api('POST /payouts', payoutBody('wdr_2'))).body;
  arm('payout-commit', 'wrong-amount');
  assert.equal((await api(`POST /payouts/${id}/commit`)).status, 204);
  assert.equal((await api(`GET /payouts/${id}`)).body.amount, 41);
  assert.equal((await api('GET /me/balance')).body.pending, 82);
});

test('a fault occurs as often as its count, and only for its match', async () => {
  const { api, arm, sandbox } = await open();
  arm('payin', 'refusal', { count: 2, match: 'top_2' });
  assert.equal((await api('POST /payins', payinBody('top_1'))).status, 200);
  assert.equal((await api('POST /payins', payinBody('top_2'))).status, 422);
  assert.equal(sandbox.faults.list()[0]!.count, 1);
  assert.equal((await api('POST /payins', payinBody('top_3'))).status, 200);
  assert.equal((await api('POST /payins', payinBody('top_2'))).status, 422);
  assert.deepEqual(sandbox.faults.list(), []);
  assert.equal((await api('POST /payins', payinBody('top_2'))).status, 200);
});

test('match takes our code for a call that carries only the provider’s id, and the other way round', async () => {
  const { api, arm } = await open();
  const { id } = (await api('POST /payins', payinBody('top_1'))).body;
  arm('payin-get', 'refusal', { match: 'top_1' });
  assert.equal((await api(`GET /payins/${id}`)).status, 422);
  arm('payin-get', 'refusal', { match: id });
  assert.equal((await api('GET /payins/by-code/top_1')).status, 422);
});

test('faults armed for one operation strike in the order in which they were armed', async () => {
  const { api, arm } = await open();
  arm('payin', 'refusal');
  arm('payin', 'outage');
  assert.equal((await api('POST /payins', payinBody('top_1'))).status, 422);
  await assert.rejects(api('POST /payins', payinBody('top_1')), /fetch failed/);
  assert.equal((await api('POST /payins', payinBody('top_1'))).status, 200);
});

test('a call that is held open does not keep the sandbox from closing', async (t) => {
  const sandbox = await openSandbox(t);
  const api = paymentOf(sandbox.url);
  sandbox.faults.arm({ operation: 'payin', fault: 'timeout' });
  const held = assert.rejects(api('POST /payins', payinBody('top_1')), /fetch failed/);
  while (sandbox.faults.list().length > 0) await new Promise(setImmediate);
  await sandbox.close();
  await held;
});
