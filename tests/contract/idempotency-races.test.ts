// The same Idempotency-Key many times at once: one effect, however many servers are asked.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, startApp } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openUserBalance } from './balance-fixture.ts';

/** Two servers on one database. */
const servers = shareInFile(async (t) => {
  const userBalance = await openUserBalance(t);
  return { userBalance, second: await startApp(t, { connection: userBalance.app.connection }) };
});

/** Exactly one did the work; every other is its replay or was told to wait. */
const assertOnce = (answers: readonly Answer[]): void => {
  const done = answers.filter((answer) => answer.status === 200);
  const first = done.filter((answer) => answer.headers.get('idempotency-replay') === null);
  assert.equal(first.length, 1);
  for (const answer of done) assert.equal(answer.text, first[0]!.text);
  for (const answer of answers.filter((each) => each.status !== 200)) {
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
  }
};

test('40 identical credits at once are one credit', async (t) => {
  const { app, move, figures } = await openUserBalance(t);
  const ask = { headers: { 'idempotency-key': randomUUID() } };
  assertOnce(await Promise.all(Array.from({ length: 40 }, () => move('credit', { amount: '5.00' }, ask))));
  assert.deepEqual(await figures(), ['5.00', '0.00', '5.00']);
  const [counted] = await app.sql("select count(*)::int as count from events where event_type = 'balance.credited'");
  assert.equal(counted.count, 1);
  assert.equal((await move('credit', { amount: '5.00' }, ask)).headers.get('idempotency-replay'), 'true');
});

test('the same key with forty different bodies at once: one of them happens', async (t) => {
  const { move, figures } = await openUserBalance(t);
  const ask = { headers: { 'idempotency-key': randomUUID() } };
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => move('credit', { amount: `${i + 1}.00` }, ask)),
  );
  const done = answers.filter((answer) => answer.status === 200);
  assert.equal(done.length, 1);
  assert.equal((await figures())[0], done[0]!.body.data.available);
  for (const answer of answers.filter((each) => each.status !== 200)) {
    assert.equal(answer.status, 409);
    assert.match(answer.body.error.code, /^IDEMPOTENCY_KEY_(REUSED|IN_PROGRESS)$/);
  }
});

test('two servers on one database, the same key at once on both, many times over: each key one credit', async () => {
  const { userBalance, second } = servers();
  const { app, userId, figures } = userBalance;
  const key = await app.key(['write']);
  for (let round = 0; round < 20; round++) {
    const headers = { 'idempotency-key': randomUUID() };
    const ask = { key, headers, body: { amount: '1.00' } };
    const request = `POST /users/${userId}/balance/credit`;
    assertOnce(await Promise.all([app, second, app, second].map((server) => server.call(request, ask))));
  }
  assert.deepEqual(await figures(), ['20.00', '0.00', '20.00']);
});

test('an answer given by one server is replayed by another', async () => {
  const { userBalance, second } = servers();
  const { app, userId } = userBalance;
  const ask = {
    key: await app.key(['write']),
    headers: { 'idempotency-key': randomUUID() },
    body: { amount: '1.00' },
  };
  const first = await app.call(`POST /users/${userId}/balance/credit`, ask);
  const again = await second.call(`POST /users/${userId}/balance/credit`, ask);
  assert.deepEqual([again.headers.get('idempotency-replay'), again.text], ['true', first.text]);
});
