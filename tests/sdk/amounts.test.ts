// Amounts are exact: sums, differences and percentages agree with whole numbers of the smallest unit, whatever the amounts are. What is
// not an amount is refused with a sentence that says what to change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Amount,
  addAmounts,
  amount,
  compareAmounts,
  formatAmount,
  fromCents,
  isAmount,
  percentOf,
  roundAmount,
  subtractAmounts,
  toCents,
} from '@holdfast/sdk';
import fc from 'fast-check';
import { formatAmount as formatInBooks, parseAmount, platformFee } from '../../server/src/books/money.ts';

/** Two places, as the wire has them. */
const cents = fc.bigInt({ min: 1n, max: 9_999_999_999_999n });

const wireOf = (units: bigint): string => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`;

test('an amount is checked as the service does, and gets two places', () => {
  assert.deepEqual(['40', '40.5', '40.00', '007.10'].map(amount), ['40.00', '40.50', '40.00', '7.10']);
  const oneTyped: Amount = amount('1');
  assert.equal(oneTyped, '1.00');
  fc.assert(
    fc.property(
      fc.oneof(cents.map(wireOf), fc.string({ maxLength: 18, unit: fc.constantFrom(...'0123456789.,-+e ') })),
      (text) => {
        assert.equal(isAmount(text), parseAmount(text) !== null, text);
      },
    ),
  );
});

for (const [given, hint] of [
  ['twenty', /^TypeError: "twenty" is not a valid amount\. Use digits and a point only/],
  ['1,500.50', /Use a point for the decimals and no separator of thousands, as in "1500\.50"/],
  ['$5', /without a currency or spaces/],
  ['', /^TypeError: "" is not a valid amount\. Write it as digits with a point/],
  ['.5', /Write it as digits with a point/],
  ['0', /It must be more than 0\.00/],
  ['-5.00', /It must be more than 0\.00/],
  ['5.005', /It has more than 2 decimal places/],
  ['100000000000', /It has more than 11 digits before the point/],
  [40, /40 is not a valid amount\. Pass a text, such as "40\.00", and not a number/],
  [undefined, /undefined is not a valid amount\. Pass a text/],
] as const) {
  test(`${JSON.stringify(given)} is refused with what to change`, () => {
    // @ts-expect-error: a number is refused by the compiler too
    assert.throws(() => amount(given), hint);
    assert.equal(isAmount(given), false);
  });
}

test('sums, differences and comparisons are exact', () => {
  assert.equal(addAmounts('0.10', '0.20'), '0.30');
  assert.equal(addAmounts(), '0.00');
  assert.equal(addAmounts('1.0000001', '-1'), '0.0000001');
  assert.equal(subtractAmounts('5.00', '7.50'), '-2.50');
  assert.deepEqual(['9.00', '10.00', '-1', '9'].toSorted(compareAmounts), ['-1', '9.00', '9', '10.00']);
  fc.assert(
    fc.property(cents, cents, (a, b) => {
      assert.equal(toCents(addAmounts(wireOf(a), wireOf(b))), a + b);
      assert.equal(toCents(subtractAmounts(wireOf(a), wireOf(b))), a - b);
      assert.equal(compareAmounts(wireOf(a), wireOf(b)), a < b ? -1 : Number(a > b));
      assert.equal(fromCents(a), amount(wireOf(a)));
    }),
  );
});

test('a percentage is the platform fee of the service', () => {
  assert.equal(percentOf('33.33', '5'), '1.6665');
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 9_900 }), (units, bps) => {
      const fee = percentOf(wireOf(units), `${Math.floor(bps / 100)}.${String(bps % 100).padStart(2, '0')}`);
      assert.equal(roundAmount(fee), formatInBooks(platformFee(parseAmount(wireOf(units))!, bps)));
    }),
  );
});

test('rounding, cents and text for people', () => {
  assert.deepEqual([roundAmount('1.6665'), roundAmount('1.6665', 'half-up')], ['1.66', '1.67']);
  assert.deepEqual([roundAmount('-1.665'), roundAmount('-1.665', 'half-up')], ['-1.66', '-1.67']);
  assert.throws(() => toCents('1.005'), /more than two decimal places\. Round it first/);
  assert.throws(() => fromCents(4000 as unknown as bigint), /Pass a bigint/);
  assert.equal(formatAmount('1234.5', { currency: 'USD', locale: 'en-US' }), '$1,234.50');
  assert.equal(formatAmount('99999999999.99', { currency: 'USDC', locale: 'en-US' }), '99,999,999,999.99 USDC');
});
