// The platform's fee of an order with fee terms, and of its parts: whatever the parts are, their fees sum to the fee of the whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FeeTerms, orderFee, partFee } from '../../server/src/books/fees.ts';
import { type Amount, fromUnits, parseAmount, plus, ZERO } from '../../server/src/books/money.ts';

const amount = (text: string): Amount => parseAmount(text)!;
const units = (text: string): string => String(amount(text));

const terms = (given: { fixed?: string; min?: string; max?: string }): FeeTerms => ({
  fixedUnits: given.fixed === undefined ? '0' : units(given.fixed),
  minUnits: given.min === undefined ? null : units(given.min),
  maxUnits: given.max === undefined ? null : units(given.max),
});

test('a fee is the percentage plus the fixed part, within the minimum and the maximum', () => {
  const feeTerms = terms({ fixed: '0.30', min: '1.00', max: '20.00' });
  const fee = (of: string) => orderFee({ platformFeeBps: 500, feeTerms }, amount(of));
  assert.equal(fee('100.00'), amount('5.30'));
  assert.equal(fee('5.00'), amount('1.00'));
  assert.equal(fee('1000.00'), amount('20.00'));
});

test('a fee is never more than the amount, and nothing is charged on nothing', () => {
  const charged = { platformFeeBps: 0, feeTerms: terms({ fixed: '5.00' }) };
  assert.equal(orderFee(charged, amount('3.00')), amount('3.00'));
  assert.equal(orderFee(charged, ZERO), ZERO);
});

test('without fee terms a fee is the percentage alone', () => {
  assert.equal(orderFee({ platformFeeBps: 250, feeTerms: null }, amount('200.00')), amount('5.00'));
});

const cents = fc.bigInt({ min: 0n, max: 10_000_000n }).map((value) => fromUnits(value * 100_000n));
const limit = fc.option(cents.map(String), { nil: null });
const anyCharge = fc.record({
  platformFeeBps: fc.integer({ min: 0, max: 9_900 }),
  feeTerms: fc.option(fc.record({ fixedUnits: cents.map(String), minUnits: limit, maxUnits: limit }), { nil: null }),
});

test('the fees of the parts sum to the fee of the whole, and no part pays more than itself', () => {
  fc.assert(
    fc.property(anyCharge, fc.array(cents, { minLength: 1, maxLength: 10 }), (charged, parts) => {
      let before = ZERO;
      let fees = ZERO;
      for (const part of parts) {
        const fee = partFee(charged, { before, part });
        assert.ok(fee >= ZERO && fee <= part, `a part of ${part} pays ${fee}`);
        fees = plus(fees, fee);
        before = plus(before, part);
      }
      assert.equal(fees, orderFee(charged, before));
    }),
    { seed: 7, numRuns: 2_000 },
  );
});
