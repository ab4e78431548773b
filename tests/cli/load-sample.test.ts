// What a load test measures: calls that went well, how long they took, and refusals by their code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldfastError } from '@holdfast/sdk';
import { type Measuring, measure } from '../../cli/src/load-sample.ts';

const NEVER = new AbortController().signal;

const measured = (call: Measuring['call'], signal: AbortSignal = NEVER) =>
  measure({ name: 'calls', seconds: 0.05, connections: 2, signal, call, onProgress() {} });

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const FACTS = { message: 'No.', status: null, requestId: null };
const LIMITED = new HoldfastError({
  ...FACTS,
  code: 'RATE_LIMITED',
  details: { limit: 1, windowSeconds: 1, retryAfter: 1 },
});
const AWAY = new HoldfastError({ ...FACTS, code: 'CONNECTION_FAILED', details: { url: '/', reason: 'refused' } });

test('calls of every connection are counted, and their times are in order', async () => {
  const workers = new Set<number>();
  const sample = await measured(async (worker) => {
    workers.add(worker);
    await nextTurn();
  });
  assert.deepEqual([...workers].sort(), [0, 1]);
  assert.ok(sample.count >= 2 && sample.p50 > 0 && sample.p95 >= sample.p50 && sample.p99 >= sample.p95);
  assert.deepEqual([sample.name, sample.errors], ['calls', {}]);
});

test('refusals are counted by their code and not among the calls that went well', async () => {
  let calls = 0;
  const { count, errors } = await measured(async () => {
    await nextTurn();
    if (++calls % 2 === 0) throw LIMITED;
  });
  assert.equal(count + errors.RATE_LIMITED!, calls);
  assert.ok(errors.RATE_LIMITED! > 0);
});

test('a server that never answers ends the measuring, and so does an error that is none of the server', async () => {
  const failing = (error: Error) => measured(() => nextTurn().then(() => Promise.reject(error)));
  await assert.rejects(failing(AWAY), { code: 'CONNECTION_FAILED' });
  await assert.rejects(failing(new Error('a mistake of ours')), /a mistake of ours/);
});

test('an interrupted measuring ends with the reason of the interruption', async () => {
  const wish = new AbortController();
  const reason = new Error('enough');
  const interrupted = measured(async () => {
    await nextTurn();
    wish.abort(reason);
  }, wish.signal);
  await assert.rejects(interrupted, (error) => error === reason);
});
