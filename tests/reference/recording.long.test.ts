// A new recording of the story gives the examples that are in the repository: the same routes, the same fields, and the same amounts,
// statuses and texts. Only ids and times of work in the background may differ.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordExamples } from '../../tools/reference/record-examples.ts';

const EXAMPLES = new URL('../../server/src/http/reference/examples/', import.meta.url);

/** Answers about the machine and about work in the background: what they list depends on the moment. */
const OF_THE_MOMENT = new Set(['GET /jobs', 'GET /health/detailed', 'GET /sandbox/state', 'GET /events']);

/** The fields of a value, and what is the same in every recording. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
  }
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' && !/^\d+\.\d\d$|^[A-Z_]+$/.test(value) ? 'text' : value;
};

test('recording again gives the same examples', async () => {
  const recorded = await recordExamples();
  const stored = readdirSync(EXAMPLES).sort();
  assert.deepEqual([...recorded.keys()].map((name) => `${name}.json`).sort(), stored);
  for (const [name, examples] of recorded) {
    const file = JSON.parse(readFileSync(new URL(`${name}.json`, EXAMPLES), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(Object.keys(examples).sort(), Object.keys(file).sort(), name);
    for (const [route, example] of Object.entries(examples)) {
      if (OF_THE_MOMENT.has(route)) continue;
      assert.deepEqual(shapeOf(example), shapeOf(file[route]), `${route}: run npm run print:examples`);
    }
  }
});
