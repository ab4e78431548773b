// Amounts are parsed and formatted without floats, and a shown amount is never larger than the real one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  formatAmount,
  formatExact,
  fromUnits,
  minus,
  negated,
  parseAmount,
  plus,
  wholeCents,
} from '../../server/src/books/money.ts';

const RUNS = { seed: 7, numRuns: 2_000 };
const UNITS_PER_CENT = 100_000n;
const anyCents = fc.bigInt({ min: 1n, max: 9_999_999_999_999n });
const anyUnits = fc.bigInt({ min: -5_000_000_000_000_000_000n, max: 5_000_000_000_000_000_000n });

const wireOf = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

test('every amount of whole cents comes back from the wire as it was sent', () => {
  const holds = (cents: bigint): void => {
    const amount = parseAmount(wireOf(cents));
    assert.equal(amount, cents * UNITS_PER_CENT);
    assert.equal(formatAmount(amount!), wireOf(cents));
    assert.equal(formatExact(amount!), `${wireOf(cents)}00000`);
  };
  fc.assert(fc.property(anyCents, holds), RUNS);
});

test('one decimal place or none means the same amount as two', () => {
  const holds = (whole: bigint, tenth: number): void => {
    assert.equal(parseAmount(`${whole}`), parseAmount(`${whole}.00`));
    assert.equal(parseAmount(`${whole}.${tenth}`), parseAmount(`${whole}.${tenth}0`));
  };
  fc.assert(fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999n }), fc.nat(9), holds), RUNS);
});

test('a shown amount is cut off towards zero and never rounded up', () => {
  const holds = (units: bigint): void => {
    const shown = formatAmount(fromUnits(units));
    const cents = BigInt(shown.replace('.', ''));
    assert.match(shown, /^-?\d+\.\d\d$/);
    assert.equal(cents, units / UNITS_PER_CENT);
    assert.equal(wholeCents(fromUnits(units)), cents * UNITS_PER_CENT);
    assert.notEqual(shown, '-0.00');
  };
  fc.assert(fc.property(anyUnits, holds), RUNS);
});

test('all seven decimal places are formatted exactly', () => {
  const holds = (units: bigint): void => {
    const exact = formatExact(fromUnits(units));
    assert.match(exact, /^-?\d+\.\d{7}$/);
    assert.equal(BigInt(exact.replace('.', '')), units);
  };
  fc.assert(fc.property(anyUnits, holds), RUNS);
});

test('adding and subtracting the same amount changes nothing', () => {
  const holds = (a: bigint, b: bigint): void => {
    assert.equal(minus(plus(fromUnits(a), fromUnits(b)), fromUnits(b)), a);
    assert.equal(plus(fromUnits(a), negated(fromUnits(a))), 0n);
  };
  fc.assert(fc.property(anyUnits, anyUnits, holds), RUNS);
});

test('anything but a positive decimal with at most two places is refused', () => {
  const refused = ['', '0', '0.00', '-1', '+1', '1.', '.5', '1.005', '1e3', ' 1', '1 ', '1\n', '1,00', '0x1', 'NaN'];
  const odd = ['Infinity', '١', '1.0０', '100000000000', '1_000', '--1', '1.0.0', '00000000000001', '\u00001'];
  for (const wire of [...refused, ...odd]) assert.equal(parseAmount(wire), null, JSON.stringify(wire));
  const isAmount = (wire: string): boolean =>
    /^[0-9]{1,11}(\.[0-9]{1,2})?$/.test(wire) && !/\n/.test(wire) && /[1-9]/.test(wire);
  const nearly = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789.-+e ,\n') }));
  const holds = (wire: string): void => assert.equal(parseAmount(wire) !== null, isAmount(wire));
  fc.assert(fc.property(nearly, holds), { ...RUNS, numRuns: 10_000 });
});
