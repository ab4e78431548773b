// The amount arithmetic of the console: whole units, exact, and never a float.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  add,
  amountOf,
  centsPartOf,
  formatAmount,
  larger,
  parseAmount,
  partOf,
  placesOf,
  plainAmount,
  shareOf,
  subtract,
  toWire,
  type Units,
} from '../../../console/src/parts/money/amounts.ts';

const cents = fc.bigInt({ min: 0n, max: 10n ** 12n }).map((value) => (value * 100_000n) as Units);

test('an amount in cents goes to the wire and comes back the same', () => {
  fc.assert(fc.property(cents, (amount) => parseAmount(toWire(amount)) === amount));
});

test('a displayed amount is grouped, truncated and never rounded up', () => {
  assert.equal(formatAmount(amountOf('1234567.8999999')), '1,234,567.89');
  assert.equal(formatAmount(amountOf('-0.05')), '−0.05');
  assert.equal(formatAmount(amountOf('999.9999999'), { places: 7 }), '999.9999999');
  assert.equal(formatAmount(amountOf('12'), { sign: true }), '+12.00');
  assert.equal(formatAmount(amountOf('0.1'), { places: 0 }), '0');
});

test('grouped thousands and a point without a digit before it are accepted', () => {
  assert.equal(parseAmount('1,234,567.89'), amountOf('1234567.89'));
  assert.equal(parseAmount('.5'), amountOf('0.5'));
  assert.equal(plainAmount(' 1,234,567.89 '), '1234567.89');
  assert.equal(plainAmount('.5'), '0.5');
});

test('an invalid amount is null: signs, commas, exponents, an eighth decimal, an empty text', () => {
  for (const text of [
    '',
    ' ',
    '+1',
    '1,5',
    '1e3',
    '0.12345678',
    '.',
    '1.',
    '1,23',
    '12,34,567',
    'NaN',
    '--1',
    '1234567890123',
  ]) {
    assert.equal(parseAmount(text), null, text);
  }
});

test('a total of the server may be longer than a typed amount, and an unreadable amount is never shown as zero', () => {
  assert.equal(formatAmount(amountOf('123456789012345.67')), '123,456,789,012,345.67');
  assert.equal(amountOf(null), 0n);
  for (const text of ['', 'NaN', '1e3', '1,5']) assert.throws(() => amountOf(text), RangeError, text);
});

test('fractions of a cent are shown with the decimals that they need, other amounts with two', () => {
  assert.equal(placesOf(amountOf('12.30'), amountOf('-5')), 2);
  assert.equal(placesOf(amountOf('12.30'), amountOf('-0.0000001')), 7);
  assert.equal(placesOf(amountOf('4.25'), amountOf('80.4950000')), 3);
  assert.equal(placesOf(), 2);
  assert.equal(larger(amountOf('-7'), amountOf('-5')), amountOf('-5'));
});

test('a share and the remainder add up to the total for every percentage', () => {
  fc.assert(
    fc.property(cents, fc.bigInt({ min: 0n, max: 10_000n }), (amount, bps) => {
      const part = centsPartOf(amount, bps);
      assert.equal(add(part, subtract(amount, part)), amount);
      assert.ok(part <= partOf(amount, bps) && part % 100_000n === 0n);
    }),
  );
});

test('the length of a bar is between zero and the total', () => {
  fc.assert(
    fc.property(cents, cents, (part, whole) => {
      const share = shareOf(part, whole);
      return Number.isInteger(share) && share >= 0 && share <= 1_000;
    }),
  );
});
