// Columns sent as binary arrays arrive in PostgreSQL unchanged, whatever they contain.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type pg from 'pg';
import { formatInstant } from '../../server/src/base/instant.ts';
import { bigints, booleans, bytes, instants, integers, texts } from '../../server/src/commit/columnar.ts';
import { openLane } from '../../server/src/postgres/connection.ts';
import { createDatabase, type TestDatabase } from '../../tools/test-database/database.ts';

const RUNS = { seed: 5, numRuns: 150 };

let database: TestDatabase;
let client: pg.Client;
before(async () => {
  database = await createDatabase({ empty: true });
  client = await openLane(database.connection);
});
after(async () => {
  await client.end();
  await database.drop();
});

const roundTrip = async (type: string, array: Buffer): Promise<unknown[]> => {
  const text = `select value from unnest($1::${type}[]) with ordinality as t (value, n) order by n`;
  return (await client.query({ name: `round-trip-${type}`, text, values: [array] })).rows.map(({ value }) => value);
};

/** Arrays of values, each of them possibly null: a null has its own encoding. */
const arrayOf = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<(Value | null)[]> =>
  fc.array(fc.option(value, { freq: 4 }), { maxLength: 40 });

const awkward = fc.constantFrom(
  '',
  '"',
  '\\',
  "'",
  '{}',
  '{NULL}',
  'NULL',
  'null',
  '\\"',
  ',',
  '\n\r\t',
  '💶',
  'é',
  '\u0001',
  '\uffff',
);
// PostgreSQL's text is Unicode without NUL, and half a surrogate pair is not Unicode.
const anyText = fc.oneof(
  awkward,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary', maxLength: 300 }).filter((text) => !text.includes('\0')),
);

test('texts arrive unchanged: empty, Unicode, quotes, backslashes, the word NULL, and null itself', () =>
  fc.assert(
    fc.asyncProperty(arrayOf(anyText), async (values) =>
      assert.deepEqual(await roundTrip('text', texts(values)), values),
    ),
    RUNS,
  ));

test('a text with NUL is refused by the database and never cut short', async () => {
  await assert.rejects(roundTrip('text', texts(['whole', 'cut\0short'])), { code: '22021' });
});

test('half a surrogate pair becomes the replacement character and never shifts what follows', async () => {
  const arrived = await roundTrip('text', texts(['a\ud800b', 'next', '\udc00', 'last']));
  assert.deepEqual(arrived, ['a\ufffdb', 'next', '\ufffd', 'last']);
});

test('whole numbers of 64 bits arrive exactly, up to both ends', () => {
  const min = -(2n ** 63n);
  const max = 2n ** 63n - 1n;
  const value = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n, -1n, 2n ** 53n + 1n));
  return fc.assert(
    fc.asyncProperty(arrayOf(value), async (values) =>
      assert.deepEqual(await roundTrip('bigint', bigints(values)), values),
    ),
    RUNS,
  );
});

test('a number that does not fit is refused before it is sent', () => {
  assert.throws(() => bigints([2n ** 63n]), RangeError);
  assert.throws(() => integers([2 ** 31]), RangeError);
  assert.throws(() => instants([Number.NaN]), RangeError);
});

test('integers and booleans arrive, and nulls among them', () =>
  fc.assert(
    fc.asyncProperty(arrayOf(fc.integer()), arrayOf(fc.boolean()), async (numbers, flags) => {
      assert.deepEqual(await roundTrip('integer', integers(numbers)), numbers);
      assert.deepEqual(await roundTrip('boolean', booleans(flags)), flags);
    }),
    RUNS,
  ));

test('bytes arrive unchanged', () => {
  const buffers = fc.array(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    { maxLength: 20 },
  );
  return fc.assert(
    fc.asyncProperty(buffers, async (values) => assert.deepEqual(await roundTrip('bytea', bytes(values)), values)),
    RUNS,
  );
});

test('times arrive to the microsecond, before 1970 and after 2200 too', () => {
  const span = { min: Date.UTC(1900, 0) * 1_000, max: Date.UTC(2250, 0) * 1_000 };
  const value = fc.oneof(fc.integer(span), fc.constantFrom(0, -1, 1, 946_684_800_000_000, 946_684_799_999_999));
  return fc.assert(
    fc.asyncProperty(arrayOf(value), async (values) =>
      assert.deepEqual(
        await roundTrip('timestamptz', instants(values)),
        values.map((micros) => (micros === null ? null : formatInstant(micros))),
      ),
    ),
    RUNS,
  );
});
