// A request that needs more than one command, with a real committer. With an Idempotency-Key it runs once, and a repeat gets the
// same answer.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { endpoint } from '@holdfast/contract/api/endpoint.ts';
import { Strict, Text } from '@holdfast/contract/api/fields.ts';
import Type from 'typebox';
import { DomainError } from '../../server/src/base/domain-error.ts';
import type { Submit } from '../../server/src/commit/command.ts';
import { createFindAnswer, type FindAnswer } from '../../server/src/commit/stored-answers.ts';
import { act } from '../../server/src/http/route.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openFixture } from '../commit/fixture.ts';
import { type Answer, openServer } from './server-fixture.ts';

const operation = endpoint({
  method: 'POST',
  path: '/operations/:id/run',
  access: 'write',
  tag: 'Test',
  summary: 'For tests.',
  params: Strict({ id: Text(60, 'Which one.') }),
  body: Strict({ word: Text(20, 'What to say.') }),
  status: 201,
  wrapping: 'success',
  data: Type.Object({ said: Type.String(), times: Type.Integer() }),
  errors: [],
  idempotent: true,
});
const forgetful = endpoint({ ...operation, path: '/operations/:id/forget', idempotent: false });

type Asking = { key?: string; path?: string };
type Operation = (word: string) => void | Promise<void>;

/** An HTTP server with two operations, and a counter of their runs. */
const openOperations = async (t: TestContext, options: { submit: Submit; findAnswer: FindAnswer; run?: Operation }) => {
  let runs = 0;
  const answer = async ({ body }: { body: { word: string } }) => {
    const times = ++runs;
    await options.run?.(body.word);
    return { said: body.word, times };
  };
  const { submit, findAnswer } = options;
  const server = await openServer({ routes: [act(operation, answer), act(forgetful, answer)], submit, findAnswer });
  afterwards(t, () => server.app.close());
  const run = (word: unknown, { key, path = '/operations/e1/run' }: Asking = {}): Promise<Answer> =>
    server.ask('POST', `/api/v1${path}`, {
      key: 'writer',
      body: { word },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  return { ...server, run, runs: () => runs };
};

const isReplay = ({ headers }: Answer): boolean => headers.get('idempotency-replay') === 'true';

const codeOf = ({ status, body }: Answer) => [status, body.error.code];

test('without a key it runs each time, and is answered in its envelope', async (t) => {
  const { committer, pool } = await openFixture(t);
  const { run } = await openOperations(t, { submit: committer.submit, findAnswer: createFindAnswer(pool) });
  const answers = [await run('a'), await run('a')];
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.data]),
    [
      [201, { success: true, data: { said: 'a', times: 1 } }],
      [201, { success: true, data: { said: 'a', times: 2 } }],
    ],
  );
  assert.equal(answers[0]!.headers.get('x-idempotency-key'), null);
});

test('a repeat gets the first answer byte for byte and nothing runs again', async (t) => {
  const { committer, pool } = await openFixture(t);
  const { run, runs } = await openOperations(t, { submit: committer.submit, findAnswer: createFindAnswer(pool) });
  const key = randomUUID();
  const first = await run('a', { key });
  const again = await run('a', { key: key.toUpperCase() });
  assert.deepEqual([first.status, again.status, isReplay(first), isReplay(again)], [201, 201, false, true]);
  assert.equal(again.text, first.text);
  assert.equal(first.headers.get('x-idempotency-key'), key);
  assert.equal(runs(), 1);
  const written = 'select (select count(*) from events)::int e, (select count(*) from audit_entries)::int a';
  assert.deepEqual((await pool.query(written)).rows, [{ e: 0, a: 0 }]);
});

test('another process returns the first answer too', async (t) => {
  const here = await openFixture(t);
  const there = await openFixture(t, { connection: here.connection });
  const first = await openOperations(t, { submit: here.committer.submit, findAnswer: createFindAnswer(here.pool) });
  const second = await openOperations(t, { submit: there.committer.submit, findAnswer: createFindAnswer(there.pool) });
  const key = randomUUID();
  // The other process has read the marketplace before, so that it could answer from its cache.
  await second.run('b', { key: randomUUID() });
  const answer = await first.run('a', { key });
  const again = await second.run('a', { key });
  assert.deepEqual([again.status, again.text, isReplay(again)], [201, answer.text, true]);
  assert.equal(second.runs(), 1);
});

test('503 with a certain outcome when the database is unreachable before anything runs', async (t) => {
  const { committer } = await openFixture(t);
  const unreachable = openPool({ host: '127.0.0.1', port: 1 }, { max: 1, onError() {} });
  afterwards(t, () => unreachable.end());
  const { run, runs } = await openOperations(t, {
    submit: committer.submit,
    findAnswer: createFindAnswer(unreachable),
  });
  const { status, body, headers } = await run('a', { key: randomUUID() });
  assert.deepEqual([status, body.error.code, headers.get('retry-after')], [503, 'SERVICE_UNAVAILABLE', '1']);
  assert.equal(body.error.details.outcome, undefined);
  assert.equal(runs(), 0);
});

test('409 IDEMPOTENCY_KEY_REUSED for another body or another path, and nothing runs', async (t) => {
  const { committer, pool } = await openFixture(t);
  const { run, runs } = await openOperations(t, { submit: committer.submit, findAnswer: createFindAnswer(pool) });
  const key = randomUUID();
  await run('a', { key });
  assert.deepEqual(codeOf(await run('b', { key })), [409, 'IDEMPOTENCY_KEY_REUSED']);
  assert.deepEqual(codeOf(await run('a', { key, path: '/operations/e2/run' })), [409, 'IDEMPOTENCY_KEY_REUSED']);
  assert.equal(runs(), 1);
});

test('409 IDEMPOTENCY_KEY_IN_PROGRESS at once while the first request is still running', async (t) => {
  const { committer, pool } = await openFixture(t);
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const { run, runs } = await openOperations(t, {
    submit: committer.submit,
    findAnswer: createFindAnswer(pool),
    run() {
      arrived.resolve();
      return finish.promise;
    },
  });
  const key = randomUUID();
  const first = run('a', { key });
  await arrived.promise;
  assert.deepEqual(codeOf(await run('a', { key })), [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
  finish.resolve();
  const answer = await first;
  assert.equal(answer.status, 201);
  const again = await run('a', { key });
  assert.deepEqual([isReplay(again), again.text, runs()], [true, answer.text, 1]);
});

test('a business refusal is stored and repeated', async (t) => {
  const { committer, pool } = await openFixture(t);
  const { run, runs } = await openOperations(t, {
    submit: committer.submit,
    findAnswer: createFindAnswer(pool),
    run() {
      throw new DomainError('INVALID_STATE', { details: { currentState: 'DONE', allowedActions: [] }, status: 400 });
    },
  });
  const key = randomUUID();
  const first = await run('a', { key });
  const again = await run('a', { key });
  assert.deepEqual(codeOf(first), [400, 'INVALID_STATE']);
  assert.deepEqual([isReplay(first), isReplay(again), again.text], [false, true, first.text]);
  assert.equal(runs(), 1);
});

test('temporary refusals, internal errors and invalid requests are not stored: the key stays free', async (t) => {
  const { committer, pool } = await openFixture(t);
  const faults: Error[] = [
    new DomainError('PROVIDER_TIMEOUT', { details: { provider: 'escrow-provider' } }),
    new DomainError('INTERNAL_ERROR'),
    new DomainError('VALIDATION_ERROR', { details: { validationErrors: ['no'] } }),
    new DomainError('INVALID_STATE', { details: { operation: { id: 'opn_1' } }, status: 400 }),
    new TypeError('a mistake'),
  ];
  const { run, runs } = await openOperations(t, {
    submit: committer.submit,
    findAnswer: createFindAnswer(pool),
    run() {
      const fault = faults.shift();
      if (fault) throw fault;
    },
  });
  const key = randomUUID();
  const statuses: number[] = [];
  while (faults.length > 0) statuses.push((await run('a', { key })).status);
  assert.deepEqual(statuses, [504, 500, 400, 400, 500]);
  assert.equal((await pool.query('select 1 from idempotency_answers')).rowCount, 0);
  const done = await run('a', { key });
  assert.deepEqual([done.status, done.body.data.data.times, isReplay(done)], [201, 6, false]);
  assert.deepEqual([isReplay(await run('a', { key })), runs()], [true, 6]);
});

test('a request that loses against another process with the same key gets the answer of the winner', async (t) => {
  const here = await openFixture(t);
  const there = await openFixture(t, { connection: here.connection });
  const winner = await openOperations(t, { submit: there.committer.submit, findAnswer: createFindAnswer(there.pool) });
  const key = randomUUID();
  let won: Answer | null = null;
  const loser = await openOperations(t, {
    submit: here.committer.submit,
    findAnswer: createFindAnswer(here.pool),
    async run() {
      won = await winner.run('a', { key });
      throw new DomainError('INVALID_STATE', { details: { currentState: 'DONE', allowedActions: [] }, status: 400 });
    },
  });
  const answer = await loser.run('a', { key });
  assert.deepEqual([answer.status, answer.text, isReplay(answer)], [201, won!.text, true]);
});

test('a completed request gets its answer, also when the answer cannot be stored', async (t) => {
  const { committer, pool } = await openFixture(t);
  const submit: Submit = (submission) =>
    submission.command.name === 'keep-answer'
      ? Promise.reject(new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } }))
      : committer.submit(submission);
  const { run, logs } = await openOperations(t, { submit, findAnswer: createFindAnswer(pool) });
  const answer = await run('a', { key: randomUUID() });
  assert.deepEqual([answer.status, answer.body.data.data], [201, { said: 'a', times: 1 }]);
  assert.ok(logs.some(({ msg }) => msg === 'the answer could not be stored for a repeated request'));
});

test('a key that is not a UUID of version 4 is 400, and a route that ignores keys ignores that too', async (t) => {
  const { committer, pool } = await openFixture(t);
  const { run, runs } = await openOperations(t, { submit: committer.submit, findAnswer: createFindAnswer(pool) });
  assert.deepEqual(codeOf(await run('a', { key: 'abc' })), [400, 'VALIDATION_ERROR']);
  assert.equal(runs(), 0);
  const key = randomUUID();
  for (const each of ['abc', key, key]) {
    const answer = await run('a', { key: each, path: '/operations/e1/forget' });
    assert.deepEqual([answer.status, isReplay(answer), answer.headers.get('x-idempotency-key')], [201, false, null]);
  }
  assert.equal(runs(), 3);
});

test('an invalid request is refused before anything runs', async (t) => {
  const { committer, pool } = await openFixture(t);
  const { run, runs, ask } = await openOperations(t, { submit: committer.submit, findAnswer: createFindAnswer(pool) });
  assert.deepEqual(codeOf(await run(7)), [400, 'VALIDATION_ERROR']);
  assert.equal((await ask('POST', '/api/v1/operations/e1/run', { body: { word: 'a' } })).status, 401);
  assert.equal((await ask('POST', '/api/v1/operations/e1/run', { key: 'reader', body: { word: 'a' } })).status, 403);
  assert.equal(runs(), 0);
});

test('an answer with a secret is not allowed here: it would be stored unsealed', () => {
  const secret = endpoint({ ...operation, secretAnswer: true });
  assert.throws(() => act(secret, async () => ({ said: 'a', times: 1 })), /unsealed/);
});
