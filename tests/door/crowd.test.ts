// How many are worked on at once: one more is refused at the door, and what does not count is answered all the same.

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { createCrowd } from '../../server/src/http/crowd.ts';
import { until } from '../committer/bend.ts';
import { openDoor } from './door-stand.ts';

const API = '/api/v1';

test('when the house is full the next is refused with 503 in the envelope, and let in again when there is room', async () => {
  const door = await openDoor({ requestsMax: 1 });
  const first = door.ask('GET', `${API}/slow`);
  await door.slow.arrived;
  const refused = await door.ask('GET', `${API}/things`, { key: 'reader' });
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.equal(refused.body.error.details.retryAfter, 1);
  assert.ok(refused.headers.get('x-ratelimit-remaining'));
  const WARNING = 40;
  assert.ok(
    !door.logs.some(({ level }) => Number(level) >= WARNING),
    'a flood is not answered with a flood of warnings',
  );
  door.slow.finish();
  assert.equal((await first).status, 200);
  await until(async () => (await door.ask('GET', `${API}/things`, { key: 'reader' })).status === 200, 'there is room');
  await door.app.close();
});

test('a burst may come in, a line that takes longer than a second may not grow, and a short one is no line', () => {
  let nowMs = 0;
  const crowd = createCrowd({ max: 500, now: () => nowMs });
  const letIn = (count: number): (() => void)[] =>
    Array.from({ length: count }, () => new EventEmitter()).flatMap((raw) =>
      crowd.letIn({ raw } as unknown as FastifyReply) ? [() => void raw.emit('close')] : [],
    );
  const burst = letIn(600);
  assert.equal(burst.length, 500);
  nowMs = 1_000;
  for (const answer of burst.splice(0, 100)) answer();
  assert.equal(letIn(1).length, 0, 'a hundred are answered in a second and four hundred wait');
  for (const answer of burst.splice(0, 350)) answer();
  assert.equal(letIn(600).length, 500 - 400 - 50, 'there is room for as many as were answered in that second');
  nowMs = 2_000;
  for (const answer of burst) answer();
  assert.equal(letIn(600).length, 450, 'nobody waits for longer than a second any more');
  nowMs = 60_000;
  assert.equal(letIn(1).length, 0);
  const quiet = createCrowd({ max: 500, now: () => nowMs });
  const letInQuiet = (count: number): number =>
    Array.from({ length: count }, () => new EventEmitter()).filter((raw) =>
      quiet.letIn({ raw } as unknown as FastifyReply),
    ).length;
  assert.equal(letInQuiet(31), 31);
  nowMs += 5_000;
  assert.equal(letInQuiet(600), 469, 'a few that take long keep nobody out');
});

test('health and streams are answered however full the house is, and mistakes are told as ever', async () => {
  const door = await openDoor({ requestsMax: 1 });
  const first = door.ask('GET', `${API}/slow`);
  await door.slow.arrived;
  assert.equal((await door.ask('GET', `${API}/health`)).status, 200);
  assert.equal((await door.ask('GET', `${API}/events`, { key: 'reader' })).status, 200);
  assert.equal((await door.ask('GET', `${API}/nothing`, { key: 'reader' })).status, 404);
  assert.equal((await door.ask('DELETE', `${API}/things`, { key: 'reader' })).status, 405);
  door.slow.finish();
  await first;
  await door.app.close();
});

test('whoever leaves before the answer makes room', async () => {
  const door = await openDoor({ requestsMax: 1 });
  const leaving = connect(door.port, '127.0.0.1');
  leaving.write(`GET ${API}/slow HTTP/1.1\r\nHost: x\r\n\r\n`);
  await door.slow.arrived;
  assert.equal((await door.ask('GET', `${API}/things`, { key: 'reader' })).status, 503);
  leaving.destroy();
  await once(leaving, 'close');
  await until(async () => (await door.ask('GET', `${API}/things`, { key: 'reader' })).status === 200, 'there is room');
  door.slow.finish();
  await door.app.close();
});
