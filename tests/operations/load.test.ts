// How a soak decides whether memory grows. load.long.test.ts runs a short soak and a short overload.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGrowth, type Point } from '../../tools/load/growth-check.ts';

const MINUTES = 60;
const lengthMs = MINUTES * 60_000;
const pointsOf = (valueAt: (minute: number) => number): Point[] =>
  Array.from({ length: MINUTES }, (_, minute) => ({ atMs: minute * 60_000, value: valueAt(minute) }));

test('a growing heap is not flat; a heap that is filled and collected again and again is', () => {
  const judge = (valueAt: (minute: number) => number) => checkGrowth(pointsOf(valueAt), { lengthMs, tolerance: 8 });
  assert.equal(judge(() => 100).isFlat, true);
  assert.equal(judge((minute) => 100 + minute).isFlat, false);
  assert.equal(judge((minute) => 100 + (minute % 17) * 2).isFlat, true);
  assert.equal(judge((minute) => 100 + (minute % 17) * 2 + minute / 2).isFlat, false);
  assert.equal(judge((minute) => (minute < 10 ? 50 + 5 * minute : 100)).isFlat, true, 'the first sixth is warm-up');
});
