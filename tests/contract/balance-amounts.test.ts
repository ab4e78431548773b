// Which amounts the balance routes take. Credit and debit refuse a bad one with INVALID_AMOUNT; to the others it is a
// field like any other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUserBalance } from './balance-fixture.ts';

const BAD = [
  '0',
  '0.00',
  '-1',
  '+1',
  '1.234',
  'abc',
  '',
  '1e3',
  ' 1',
  '1 ',
  '٣',
  '1,00',
  '.5',
  '1.',
  '0x10',
  'NaN',
  '123456789012',
];
const NO_TEXT = [1, 1.5, -1, null, true, ['1.00'], { amount: '1.00' }];
const SENTENCE = 'amount must be a positive decimal string with at most two places and eleven whole digits';

test('400 INVALID_AMOUNT from credit and debit for zero, negative and malformed amounts, which it repeats', async (t) => {
  const { allRefused } = await openUserBalance(t, '10.00');
  await allRefused(async (refused) => {
    for (const verb of ['credit', 'debit']) {
      for (const amount of BAD) {
        const expected = { status: 400, code: 'INVALID_AMOUNT', details: { amount } };
        assert.deepEqual(await refused(verb, { amount }), expected, verb);
      }
    }
  });
});

const invalid = (sentence: string) => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  details: { validationErrors: [sentence] },
});

test('400 VALIDATION_ERROR from reserve, release and deduct-reserved for zero, negative and malformed amounts', async (t) => {
  const { done, allRefused } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '5.00' });
  await allRefused(async (refused) => {
    for (const verb of ['reserve', 'release', 'deduct-reserved']) {
      for (const amount of BAD)
        assert.deepEqual(await refused(verb, { amount }), invalid(SENTENCE), `${verb} ${amount}`);
    }
  });
});

test('400 VALIDATION_ERROR for an amount that is missing or no text', async (t) => {
  const { done, allRefused } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '5.00' });
  await allRefused(async (refused) => {
    for (const verb of ['credit', 'debit', 'reserve', 'release', 'deduct-reserved']) {
      assert.deepEqual(await refused(verb, {}), invalid('amount is required'), verb);
      for (const amount of NO_TEXT) {
        assert.deepEqual(await refused(verb, { amount }), invalid('amount must be a string'), verb);
      }
    }
  });
});

test('amounts may have no, one or two places and leading zeros, up to eleven whole digits', async (t) => {
  const { done, figures } = await openUserBalance(t);
  for (const amount of ['1', '1.5', '1.50', '0.01', '007', '99999999999.99']) await done('credit', { amount });
  assert.deepEqual(await figures(), ['100000000011.00', '0.00', '100000000011.00']);
});

test('the largest balance is exact to the cent', async (t) => {
  const { done, figures } = await openUserBalance(t);
  for (let i = 0; i < 4; i++) await done('credit', { amount: '99999999999.99' });
  await done('reserve', { amount: '99999999999.98' });
  assert.deepEqual(await figures(), ['299999999999.98', '99999999999.98', '399999999999.96']);
});

test('400 INVALID_AMOUNT for a credit above the limit of an account, without a trace', async (t) => {
  const { done, refused } = await openUserBalance(t);
  for (let i = 0; i < 5; i++) await done('credit', { amount: '99999999999.99' });
  const { status, code } = await refused('credit', { amount: '0.06' });
  assert.deepEqual([status, code], [400, 'INVALID_AMOUNT']);
  await done('credit', { amount: '0.05' });
});
