// How many are worked on at once: one more is refused at the door, and what does not count is answered all the same.

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { createCrowd } from '../../server/src/http/admission.ts';
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

test('whoever sends slowly takes no room: a stranger with many open requests keeps nobody out', async () => {
  const door = await openDoor({ requestsMax: 1 });
  const slow = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const sender = connect(door.port, '127.0.0.1');
      const head = `POST ${API}/users/1/credit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\n`;
      sender.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a`);
      await once(sender, 'connect');
      return sender;
    }),
  );
  // They are through the door when they have been counted, besides those who ask.
  let asked = 0;
  await until(async () => {
    const { headers } = await door.ask('GET', `${API}/things`, { key: 'writer' });
    asked += 1;
    const counted = Number(headers.get('x-ratelimit-limit')) - Number(headers.get('x-ratelimit-remaining'));
    return counted === asked + slow.length;
  }, 'all of them have been seen');
  assert.equal((await door.ask('GET', `${API}/things`, { key: 'reader' })).status, 200);
  for (const sender of slow) sender.destroy();
  await door.app.close();
});

test('whoever has left before it is let in does not stay counted', () => {
  const crowd = createCrowd(1);
  const left = { raw: Object.assign(new EventEmitter(), { destroyed: true }) } as unknown as FastifyReply;
  assert.ok(crowd.letIn(left));
  assert.ok(crowd.hasRoom());
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
