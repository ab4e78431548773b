// The state of the events page after a burst, without a browser: never more events than its limit, and exact counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoldfastEvent } from '@holdfast/sdk';
import { EMPTY_TAIL, SHOWN_MAX, type Step, type Tail, tailAfter } from '../../../console/src/pages/events/tail.ts';

const eventAt = (second: number): HoldfastEvent =>
  ({ eventId: `evt_${second}`, occurredAt: new Date(second * 1_000).toISOString() }) as HoldfastEvent;

const events = (from: number, count: number): HoldfastEvent[] =>
  Array.from({ length: count }, (_, at) => eventAt(from + at));

const after = (steps: readonly Step[]): Tail => steps.reduce(tailAfter, EMPTY_TAIL);

const begin = (replayUntilMs: number | null = null): Step => ({ kind: 'begin', seed: [], replayUntilMs });

test('a burst leaves the newest events on the page, newest first, and counts the rest', () => {
  const tail = after([begin(), { kind: 'take', fresh: events(0, 700) }, { kind: 'take', fresh: events(700, 700) }]);
  assert.equal(tail.shown.length, SHOWN_MAX);
  assert.equal(tail.shown[0]?.eventId, 'evt_1399');
  assert.equal(tail.shown.at(-1)?.eventId, 'evt_400');
  assert.equal(tail.received, 1_400);
});

test('events that arrive while paused wait, are all counted, and are limited too', () => {
  const paused = after([
    begin(),
    { kind: 'take', fresh: events(0, 3) },
    { kind: 'pause' },
    { kind: 'take', fresh: events(3, 2_500) },
  ]);
  assert.deepEqual(
    paused.shown.map(({ eventId }) => eventId),
    ['evt_2', 'evt_1', 'evt_0'],
  );
  assert.equal(paused.waiting, 2_500);
  assert.equal(paused.held.length, SHOWN_MAX);
  const resumed = tailAfter(paused, { kind: 'resume' });
  assert.equal(resumed.shown[0]?.eventId, 'evt_2502');
  assert.equal(resumed.shown.length, SHOWN_MAX);
  assert.equal(resumed.waiting, 0);
});

test('a replay stops at its first thousand events; events after its start continue', () => {
  const opened = begin(5_000 * 1_000);
  const replayed = after([opened, { kind: 'take', fresh: events(0, 1_200) }]);
  assert.equal(replayed.pausedBy, 'replay');
  assert.equal(replayed.shown[0]?.eventId, 'evt_999');
  assert.equal(replayed.waiting, 200);
  const live = after([opened, { kind: 'take', fresh: events(0, 900) }, { kind: 'take', fresh: events(6_000, 300) }]);
  assert.equal(live.pausedBy, null);
  assert.equal(live.shown[0]?.eventId, 'evt_6299');
});
