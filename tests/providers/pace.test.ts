// A request that waits for the rate starts when the window has passed, at whatever moment the clock moves on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from '../../server/src/providers/pace.ts';

const WINDOW_MS = 10;
const BEFORE_MS = 9;
const AFTER_MS = 11;
/** More readings than one request takes. */
const READINGS_MAX = 12;
/** Far more than the window, so that only a request which is never started ends with it. */
const DEADLINE_MS = 2_000;

const REQUEST = { priority: 'operation', marketplaceId: null, deadline: DEADLINE_MS } as const;

/** The second request is made just before the window of the first one ends, and the window ends after so many readings of the clock. */
const secondAfter = async (readings: number): Promise<(() => void) | null> => {
  let isSecond = false;
  let left = readings;
  const now = (): number => {
    if (!isSecond) return 0;
    return left-- > 0 ? BEFORE_MS : AFTER_MS;
  };
  const rate = { max: 1, windowMs: WINDOW_MS };
  const pace = createPace({ rate, concurrencyMax: 10, queueMax: 10, sharePercent: 100, now });
  const leave = await pace.enter(REQUEST);
  assert.ok(leave);
  leave();
  isSecond = true;
  return pace.enter(REQUEST);
};

test('a request starts although the window ends between two readings of the clock', async () => {
  const readings = Array.from({ length: READINGS_MAX }, (_, at) => at);
  const started = await Promise.all(readings.map(secondAfter));
  assert.deepEqual(
    readings.filter((at) => started[at] === null),
    [],
    'after so many readings nothing started it',
  );
});
