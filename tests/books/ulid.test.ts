// Ids sort in the order of their creation, also when the clock goes back by less than a day, and the number of a numbered id can be read back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { idPattern } from '../../contract/src/ids.ts';
import { newId, numberedId, numberInId, ulid } from '../../server/src/base/ulid.ts';

const LATEST_MS = 2 ** 48 - 1;

test('each new id is larger than the one before, in the same millisecond and after the clock went back', () => {
  let ms = Date.UTC(2030, 0);
  let last = ulid(ms);
  const holds = (jumps: number[]): void => {
    for (const jump of jumps) {
      ms += jump;
      const next = ulid(ms);
      assert.match(next, /^[0-9A-HJKMNP-TV-Z]{26}$/);
      assert.ok(next > last, `${next} comes after ${last}`);
      last = next;
    }
  };
  fc.assert(fc.property(fc.array(fc.constantFrom(-5, -1, 0, 0, 0, 1, 1_000), { maxLength: 200 }), holds), {
    seed: 11,
    numRuns: 500,
  });
});

test('the time of an id is never more than a day ahead of the clock', () => {
  const ms = Date.UTC(2033, 0);
  const day = 86_400_000;
  const timeOf = (id: string): string => id.slice(0, 10);
  const first = ulid(ms);
  assert.equal(timeOf(ulid(ms - day)), timeOf(first), 'a clock that was set back by a day');
  assert.ok(timeOf(ulid(ms - day - 1)) < timeOf(first), 'a clock that was set back by more');
});

test('a hundred thousand ids of one millisecond are all different', () => {
  const ms = Date.UTC(2031, 0);
  const ids = new Set(Array.from({ length: 100_000 }, () => ulid(ms)));
  assert.equal(ids.size, 100_000);
});

test('every kind of id fits its own pattern', () => {
  assert.match(newId('user', Date.UTC(2032, 0)), new RegExp(idPattern('user')));
  assert.match(newId('event', Date.UTC(2032, 0)), new RegExp(idPattern('event')));
});

test('the number of a numbered id can be read back, and numbered ids sort by time, then by number', () => {
  const of = fc.record({ ms: fc.nat(LATEST_MS), number: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }) });
  const holds = (a: { ms: number; number: bigint }, b: { ms: number; number: bigint }): void => {
    const idA = numberedId('auditEntry', a);
    const idB = numberedId('auditEntry', b);
    assert.equal(numberInId('auditEntry', idA), a.number);
    assert.match(idA, new RegExp(idPattern('auditEntry')));
    const before = a.ms === b.ms ? a.number < b.number : a.ms < b.ms;
    assert.equal(idA < idB, before);
  };
  fc.assert(fc.property(of, of, holds), { seed: 12, numRuns: 2_000 });
  assert.equal(numberInId('auditEntry', 'aud_not-an-id'), null);
});
