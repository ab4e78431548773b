// The checkpoint of the stream: it moves only over handled events, so a program that crashes misses no event.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Checkpoint } from '@holdfast/sdk';
import { until } from '../../tools/until.ts';
import { aUser, openFixture } from './fixture.ts';

const START = new Date(0);

const memory = (): Checkpoint & { saved: string[] } => {
  const saved: string[] = [];
  return { saved, load: () => saved.at(-1) ?? null, save: (cursor) => void saved.push(cursor) };
};

test('the checkpoint moves over handled events only: after a crash the unhandled event comes again', async (t) => {
  const fixture = await openFixture(t);
  const id = await aUser(fixture.client);
  for (const amount of ['1.00', '2.00', '3.00']) await fixture.client.balances.credit(id, { amount });
  const checkpoint = memory();
  const query = { since: START, types: ['balance.credited'], checkpoint } as const;
  const seen: string[] = [];
  const dying = (async () => {
    for await (const event of fixture.client.events(query)) {
      seen.push(event.payload.amount);
      if (seen.length === 2) throw new Error('the power is gone');
    }
  })();
  await assert.rejects(dying, /the power is gone/);
  assert.deepEqual(seen, ['1.00', '2.00']);
  assert.equal(checkpoint.saved.length, 1);
  for await (const event of fixture.client.events(query)) {
    seen.push(event.payload.amount);
    if (event.payload.amount === '3.00') break;
  }
  assert.deepEqual(seen, ['1.00', '2.00', '2.00', '3.00']);
  assert.equal(checkpoint.saved.length, 2);
});

test('a checkpoint that cannot be loaded or saved ends the loop with its error', async (t) => {
  const fixture = await openFixture(t);
  await aUser(fixture.client, '1.00');
  const broken = (part: keyof Checkpoint): Checkpoint => ({
    ...memory(),
    [part]: () => Promise.reject(new Error(`no ${part}`)),
  });
  for (const part of ['load', 'save'] as const) {
    const reading = Array.fromAsync(fixture.client.events({ since: START, checkpoint: broken(part) }));
    await assert.rejects(reading, new RegExp(`no ${part}`));
  }
});

test('a program that starts with live events and crashes on the first event gets this event again', async (t) => {
  const { client } = await openFixture(t);
  const checkpoint = memory();
  const dying = (async () => {
    for await (const event of client.events({ checkpoint })) throw new Error(event.aggregateId);
  })();
  const died = assert.rejects(dying, /^Error: usr_/);
  await until(() => checkpoint.saved.length === 1, 'the beginning is kept');
  const id = await aUser(client);
  await died;
  assert.equal(checkpoint.saved.length, 1);
  for await (const event of client.events({ checkpoint })) {
    assert.deepEqual([event.eventType, event.aggregateId], ['user.created', id]);
    break;
  }
});
