// Which requests the transport retries, and when. A real proxy loses, cuts and delays messages, or answers itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AttemptRecord, Holdfast } from '@holdfast/sdk';
import { aUser, failureOf, openFixture, openOwnFixture, parties } from './fixture.ts';
import { passedOf } from './line.ts';

const BUSY = { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Busy</h1>' };

test('a read is retried after a broken connection, a truncated answer, and an error page of a proxy', async (t) => {
  const { line, shaky } = await openFixture(t);
  line.play('GET /api/v1/config', 'lose-request', 'cut-answer', BUSY);
  const { baseCurrency } = await shaky.service.config();
  assert.equal(baseCurrency, 'USD');
  assert.equal(passedOf(line, '/config').length, 4);
});

test('Retry-After is honoured, in seconds and as a date, and the wait is never shorter', async (t) => {
  const { line, shaky } = await openFixture(t);
  const inOneSecond = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000).toUTCString();
  line.play(
    '/config',
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 503, headers: { 'retry-after': inOneSecond } },
  );
  await shaky.service.config();
  const [first, second, third] = passedOf(line, '/config').map(({ at }) => at);
  assert.ok(second! - first! >= 990, `${second! - first!} ms`);
  assert.ok(third! - first! >= 1_000);
});

test('a Retry-After above the limit is returned as an error without a wait', async (t) => {
  const { line, shaky } = await openFixture(t);
  line.play('/config', { status: 503, headers: { 'retry-after': '3600' } });
  const error = await failureOf(shaky.service.config());
  assert.equal(error.retryAfter, 3_600);
  assert.equal(passedOf(line, '/config').length, 1);
});

test('after maxRetries the last failure is thrown, and 0 means one attempt', async (t) => {
  const { line, shaky } = await openFixture(t);
  line.play('/config', BUSY, BUSY, BUSY);
  const error = await failureOf(shaky.service.config({ maxRetries: 1 }));
  assert.deepEqual([error.code, error.status], ['UNEXPECTED_ANSWER', 503]);
  assert.equal(passedOf(line, '/config').length, 2);
  await failureOf(shaky.service.config({ maxRetries: 0 }));
  assert.equal(passedOf(line, '/config').length, 3);
});

test('a refusal is not retried', async (t) => {
  const { line, shaky } = await openFixture(t);
  const error = await failureOf(shaky.users.get('usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'));
  assert.equal(error.code, 'USER_NOT_FOUND');
  assert.equal(line.passed.length, 1);
});

test('every attempt is reported, with its status and request id', async (t) => {
  const { line, over } = await openFixture(t);
  const told: AttemptRecord[] = [];
  line.play('/health', 'lose-request');
  await over({ onAttempt: (record) => told.push(record) }).service.health();
  assert.deepEqual(
    told.map(({ method, path, attempt, status }) => [method, path, attempt, status]),
    [
      ['GET', '/health', 1, null],
      ['GET', '/health', 2, 200],
    ],
  );
  assert.equal(told[0]!.requestId, null);
  assert.match(told[1]!.requestId!, /\S/);
});

test('an exception of the attempt observer does not turn a success into a failure', async (t) => {
  const { client, over } = await openFixture(t);
  const id = await aUser(client);
  const onAttempt = () => {
    throw new Error('the log is full');
  };
  assert.equal((await over({ onAttempt }).balances.credit(id, { amount: '1.00' })).available, '1.00');
});

test('a connection that breaks during a request is not reported as a failed connect', async (t) => {
  const { client, over } = await openFixture(t);
  const input = await parties(client);
  for (const [syscall, attempts] of [
    ['connect', 2],
    ['read', 1],
  ] as const) {
    let made = 0;
    const cause = Object.assign(new Error(syscall), { code: 'ENETUNREACH', syscall });
    const dies = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause, made: ++made }));
    const error = await failureOf(over({ fetch: dies, maxRetries: 1 }).orders.create(input));
    assert.deepEqual([made, error.outcomeUnknown], [attempts, syscall === 'read']);
  }
});

test('a timeout has its own error, which says that a POST may have taken effect', async (t) => {
  const { line, over, client } = await openFixture(t);
  const id = await aUser(client);
  line.play(`/users/${id}/balance`, 'hang');
  const patientOnce = over({ timeoutMs: 300, maxRetries: 0 });
  const read = await failureOf(patientOnce.balances.get(id));
  assert.deepEqual([read.code, read.status, read.outcomeUnknown], ['TIMED_OUT', null, false]);
  line.play('/balance/credit', 'hang');
  const write = await failureOf(patientOnce.balances.credit(id, { amount: '1.00' }));
  assert.deepEqual([write.code, write.outcomeUnknown], ['TIMED_OUT', true]);
  const { available } = await client.balances.credit(id, { amount: '1.00' }, { idempotencyKey: write.idempotencyKey! });
  assert.equal(available, '1.00');
});

test('a DELETE whose answer was lost does not say for certain that its record was never there', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const { id } = await client.webhookEndpoints.create({ url: 'https://shop.example/hooks', events: ['*'] });
  line.play(`DELETE /api/v1/webhook-endpoints/${id}`, 'lose-answer');
  const lost = await failureOf(shaky.webhookEndpoints.delete(id));
  assert.deepEqual([lost.code, lost.status, lost.outcomeUnknown], ['WEBHOOK_ENDPOINT_NOT_FOUND', 404, true]);
  assert.equal(passedOf(line, id).length, 2);
  // Without a doubt nothing was there, and of a read nothing was changed.
  const never = await failureOf(shaky.webhookEndpoints.delete(id));
  assert.deepEqual([never.code, never.outcomeUnknown], ['WEBHOOK_ENDPOINT_NOT_FOUND', false]);
  line.play(`GET /api/v1/webhook-endpoints/${id}`, 'lose-answer');
  const read = await failureOf(shaky.webhookEndpoints.get(id));
  assert.deepEqual([read.code, read.outcomeUnknown], ['WEBHOOK_ENDPOINT_NOT_FOUND', false]);
});

test('a signal aborts a call, also during the wait before a retry, with its reason', async (t) => {
  const { line, shaky } = await openFixture(t);
  const reason = new Error('the customer has left');
  for (const trick of ['hang', { status: 503, headers: { 'retry-after': '30' } }] as const) {
    const wish = new AbortController();
    line.play('/config', trick);
    const before = line.passed.length;
    const calling = shaky.service.config({ signal: wish.signal });
    const ended = assert.rejects(calling, (error) => error === reason);
    while (line.passed.length === before) await new Promise(setImmediate);
    wish.abort(reason);
    await ended;
  }
  await assert.rejects(shaky.service.config({ signal: AbortSignal.abort(reason) }), (error) => error === reason);
});

test("a proxy's page, a redirect and an answer of another service are UNEXPECTED_ANSWER", async (t) => {
  const { line, shaky, apiKey } = await openFixture(t);
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in to the airport</h1>' };
  line.play('/config', page);
  const html = await failureOf(shaky.service.config());
  assert.deepEqual([html.code, html.status, html.outcomeUnknown], ['UNEXPECTED_ANSWER', 200, false]);
  assert.ok(html.code === 'UNEXPECTED_ANSWER' && html.details.body === page.body);
  line.play('/config', { status: 302, headers: { location: 'https://elsewhere.example/' } });
  const moved = await failureOf(shaky.service.config());
  assert.deepEqual([moved.code, moved.status], ['UNEXPECTED_ANSWER', 302]);
  line.play('/config', { status: 200, headers: { 'content-type': 'application/json' }, body: '{"hello":"world"}' });
  assert.equal((await failureOf(shaky.service.config())).code, 'UNEXPECTED_ANSWER');
  const empty = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"data":{}}' };
  line.play('/users', empty);
  assert.equal((await failureOf(shaky.users.list().page())).code, 'UNEXPECTED_ANSWER');
  line.play('/orders/', empty);
  assert.equal((await failureOf(shaky.orders.get('ord_1'))).code, 'UNEXPECTED_ANSWER');
  line.play('/statement', page);
  const id = await aUser(shaky);
  assert.equal((await failureOf(shaky.users.statementCsv(id))).code, 'UNEXPECTED_ANSWER');
  assert.equal(JSON.stringify(html).includes(apiKey), false);
});

test('an invalid argument is a TypeError at once, and never reaches another route', async (t) => {
  const { line, shaky, over } = await openFixture(t);
  for (const id of ['', '.', '..']) await assert.rejects(shaky.orders.reserve(id), TypeError);
  const broken = over({ apiKey: 'hf_secret\nb' }).service.config();
  await assert.rejects(broken, (error) => error instanceof TypeError && !error.message.includes('secret'));
  for (const url of ['localhost:4000', '', 'ftp://example.com']) {
    assert.throws(() => new Holdfast({ url }), /must begin with http/);
  }
  assert.throws(() => new Holdfast({ url: 'http://127.0.0.1:99999' }), /its port, which is at most 65535/);
  for (const maxRetries of [Number.NaN, -1, 1.5, '3' as unknown as number]) {
    await assert.rejects(shaky.service.config({ maxRetries }), TypeError);
  }
  for (const timeoutMs of [0, Number.NaN]) await assert.rejects(over({ timeoutMs }).service.config(), TypeError);
  for (const rest of ['ada:secret@shop.example', 'shop.example?a=b', 'shop.example/#a', 'a b']) {
    const isTold = (error: unknown) => error instanceof TypeError && !error.message.includes('secret');
    assert.throws(() => new Holdfast({ url: `http://${rest}` }), isTold);
  }
  assert.equal(line.passed.length, 0);
  const odd = await failureOf(shaky.users.get('../orders'));
  assert.deepEqual([odd.code, line.passed.length], ['USER_NOT_FOUND', 1]);
});

test('CONNECTION_FAILED without a server at the address, and no request was sent', async (t) => {
  const { app, client } = await openOwnFixture(t);
  await app.close();
  const error = await failureOf(client.balances.credit('usr_1', { amount: '1.00' }, { maxRetries: 1 }));
  assert.deepEqual([error.code, error.status, error.outcomeUnknown], ['CONNECTION_FAILED', null, false]);
  assert.match(error.message, /Is the server started/);
});
