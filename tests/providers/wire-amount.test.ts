// Amounts cross the providers' wires exactly, or not at all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromUnits } from '../../server/src/books/money.ts';
import { findAmount, readJson, Unreadable } from '../../server/src/providers/reply-fields.ts';
import {
  formatDecimal,
  parseDecimal,
  UnsendableAmount,
  writeNumber,
  writePercent,
} from '../../server/src/providers/wire-amount.ts';

const units = fc.bigInt({ min: 0n, max: 10n ** 18n }).map(fromUnits);

test('every amount comes back from its own decimal', () => {
  fc.assert(fc.property(units, (amount) => assert.equal(parseDecimal(formatDecimal(amount)), amount)));
});

test('what is written as a JSON number is the same number for a reader that uses doubles, or is refused', () => {
  fc.assert(
    fc.property(units, (amount) => {
      try {
        const text = JSON.stringify({ amount: writeNumber(amount) });
        const asDouble = JSON.parse(text) as { amount: number };
        assert.equal(parseDecimal(String(asDouble.amount)), amount);
        assert.equal(findAmount(readJson(text) as never, 'amount'), amount);
      } catch (error) {
        assert.ok(error instanceof UnsendableAmount);
        assert.ok(formatDecimal(amount).replace(/[.]/, '').replace(/^0+/, '').length > 15);
      }
    }),
  );
});

test('an answer’s number is read by its digits, with an exponent too, and never rounded', () => {
  const read = (text: string) => findAmount(readJson(`{"amount":${text}}`) as never, 'amount');
  assert.equal(read('10'), 100_000_000n);
  assert.equal(read('9.47'), 94_700_000n);
  assert.equal(read('"9.47"'), 94_700_000n);
  assert.equal(read('1e-7'), 1n);
  assert.equal(read('1.5E+2'), 1_500_000_000n);
  assert.equal(read('99999999999.9999999'), 999_999_999_999_999_999n);
  assert.equal(read('9007199254740993'), 90_071_992_547_409_930_000_000n);
  assert.equal(read('-3.5'), -35_000_000n);
  assert.equal(read('10.00000000000'), 100_000_000n);
  assert.equal(read('null'), null);
  for (const text of ['0.30000000000000004', '1e-8', '"ten"', 'true', '""', '{}']) {
    assert.throws(() => read(text), Unreadable, text);
  }
});

test('an amount finer than the provider’s cents is not sent', () => {
  assert.equal(JSON.stringify(writeNumber(fromUnits(100_000n), { placesMax: 2 })), '0.01');
  assert.throws(() => writeNumber(fromUnits(10_000n), { placesMax: 2 }), UnsendableAmount);
});

test('hundredths of a percent are written as a percentage', () => {
  const written = [0, 1, 10, 500, 550, 9_900].map((bps) => JSON.stringify(writePercent(bps)));
  assert.deepEqual(written, ['0', '0.01', '0.1', '5', '5.5', '99']);
});

test('an answer is read with the digits of its numbers, whatever their form', () => {
  const numbers = fc.oneof(
    fc.constantFrom(
      '0',
      '-0',
      '-5',
      '5.0',
      '1e3',
      '1E-7',
      '900719925474099',
      '9007199254740993',
      '12345678901234567890.1',
    ),
    fc.nat().map(String),
    units.map(formatDecimal),
  );
  const texts = fc.string({ unit: fc.constantFrom('a', '"', ':', ',', '[', '-', '.', '1', '\\') });
  const fields = fc.array(
    fc.tuple(
      texts,
      fc.oneof(
        numbers,
        texts.map((text) => JSON.stringify(text)),
      ),
    ),
  );
  fc.assert(
    fc.property(fields, numbers, (list, alone) => {
      const object = list.map(([, value], n) => `"${n}" : ${value}`).join(', ');
      const text = `{"list": [${list.map(([, value]) => value).join(',')}], "nested": {${object}}}`;
      const digits = (value: string) => (value.startsWith('"') ? JSON.parse(value) : value);
      const values = list.map(([, value]) => digits(value));
      assert.deepEqual(readJson(text), { list: values, nested: { ...values } });
      assert.equal(readJson(alone), alone);
    }),
  );
});
