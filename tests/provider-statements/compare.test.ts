// The comparison of lines with records, as a table: what names a record, what differs, and what is only a suggestion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact } from '../../server/src/books/money.ts';
import { compare } from '../../server/src/modules/provider-statements/compare.ts';
import type { OurRecord } from '../../server/src/modules/provider-statements/records.ts';
import type { FileLine } from '../../server/src/modules/provider-statements/statement.ts';

const MIDDAY = '2026-01-10T12:00:00.000000Z';

const STATEMENT = {
  system: 'payment-provider',
  fromAt: '2026-01-01T00:00:00.000000Z',
  toAt: '2026-02-01T00:00:00.000000Z',
  toleranceMinutes: 60,
} as const;

const line = (more: Partial<FileLine> & { number: number }): FileLine => ({
  at: MIDDAY,
  reference: 'pay-1',
  amount: parseExact('25.00')!,
  currency: 'USD',
  type: null,
  fee: null,
  description: null,
  ...more,
});

const record = (more: Partial<OurRecord> = {}): OurRecord => ({
  type: 'topup',
  id: 'top_1',
  outsideId: 'pay-1',
  status: 'TOPUP_SUCCEEDED',
  outcome: 'settled',
  amount: parseExact('25.00')!,
  fee: parseExact('0.50')!,
  currency: 'USD',
  at: MIDDAY,
  ...more,
});

const PAYOUT = record({
  type: 'withdrawal',
  id: 'wdr_1',
  outsideId: 'out-1',
  status: 'WITHDRAWAL_COMPLETED',
  fee: null,
});

const statusesOf = (
  lines: FileLine[],
  records: OurRecord[],
  system: 'payment-provider' | 'ledger-network' = STATEMENT.system,
) =>
  compare({ statement: { ...STATEMENT, system }, lines, named: records, ofRange: records }).map(({ status }) => status);

const one = (more: Partial<FileLine>, ours: OurRecord = record()) =>
  statusesOf([line({ number: 2, ...more })], [ours])[0];

test('a line and a record belong together by the id of the payment or by our id, and never by the amount', () => {
  assert.equal(one({}), 'MATCHED');
  assert.equal(one({ reference: 'top_1' }), 'MATCHED');
  assert.deepEqual(statusesOf([line({ number: 2, reference: 'other' })], [record()]), [
    'MISSING_HERE',
    'MISSING_THERE',
  ]);
  assert.equal(one({ reference: null }), 'MISSING_HERE');
});

test('a difference of the smallest unit, of the currency or of the fee is a difference', () => {
  assert.equal(one({ amount: parseExact('25.0000001')! }), 'AMOUNT_DIFFERS');
  assert.equal(one({ currency: 'USDC' }), 'MATCHED');
  assert.equal(one({ currency: 'EUR' }), 'AMOUNT_DIFFERS');
  assert.equal(one({ fee: parseExact('0.50')! }), 'MATCHED');
  assert.equal(one({ fee: parseExact('-0.50')! }), 'MATCHED');
  assert.equal(one({ fee: parseExact('0.51')! }), 'AMOUNT_DIFFERS');
  assert.equal(one({ fee: parseExact('0.50')! }, record({ fee: null })), 'PENDING');
  assert.equal(one({ reference: 'out-1', fee: parseExact('0.50')! }, PAYOUT), 'AMOUNT_DIFFERS');
});

test('a payout may be negative; a top-up with a minus is none', () => {
  assert.equal(one({ reference: 'out-1', amount: parseExact('-25.00')! }, PAYOUT), 'MATCHED');
  assert.equal(one({ reference: 'out-1' }, PAYOUT), 'MATCHED');
  const [taken] = compare({
    statement: STATEMENT,
    lines: [line({ number: 2, amount: parseExact('-25.00')! })],
    named: [record()],
    ofRange: [],
  });
  assert.deepEqual([taken!.status, taken!.difference], ['AMOUNT_DIFFERS', parseExact('-50.00')]);
});

test('in a file that writes payouts with a minus, a payout without one is money that came back', () => {
  const other = record({ ...PAYOUT, id: 'wdr_2', outsideId: 'out-2' });
  const payout = (number: number, reference: string, amount: string) =>
    line({ number, reference, amount: parseExact(amount)! });
  const compared = (lines: FileLine[]) =>
    compare({ statement: STATEMENT, lines, named: [PAYOUT, other], ofRange: [PAYOUT, other] });
  const both = compared([
    payout(2, 'out-1', '-25.00'),
    payout(3, 'out-1', '25.00'),
    payout(4, 'out-1', '25.00'),
    payout(5, 'out-2', '25.00'),
  ]);
  assert.deepEqual(
    both.map(({ status, record: ours, difference }) => [status, ours!.id, difference]),
    [
      ['MATCHED', 'wdr_1', null],
      ['AMOUNT_DIFFERS', 'wdr_1', parseExact('-50.00')],
      ['DUPLICATE', 'wdr_1', null],
      ['AMOUNT_DIFFERS', 'wdr_2', parseExact('-50.00')],
      ['MISSING_THERE', 'wdr_2', null],
    ],
  );
  assert.match(both[1]!.reason!, /came back/);
  const withoutSigns = compared([payout(2, 'out-1', '25.00'), payout(3, 'out-2', '25.00')]);
  assert.deepEqual(
    withoutSigns.map(({ status }) => status),
    ['MATCHED', 'MATCHED'],
  );
});

test('a record that is not finished is pending, and one that failed is missing here', () => {
  const pending = record({ outcome: 'pending', status: 'TOPUP_PROCESSING' });
  assert.equal(one({}, pending), 'PENDING');
  assert.deepEqual(statusesOf([], [pending]), ['PENDING']);
  const failed = compare({
    statement: STATEMENT,
    lines: [line({ number: 2 })],
    named: [record({ outcome: 'unpaid', status: 'TOPUP_FAILED' })],
    ofRange: [],
  })[0]!;
  assert.deepEqual([failed.status, failed.reason], ['MISSING_HERE', 'The topup is TOPUP_FAILED here.']);
});

test('the second line about a payment is a duplicate; a line about its fee is not', () => {
  const lines = [
    line({ number: 2 }),
    line({ number: 3 }),
    line({ number: 4, type: 'Fee', amount: parseExact('-0.50')! }),
    line({ number: 5, type: 'fee', amount: parseExact('0.50')! }),
  ];
  assert.deepEqual(statusesOf(lines, [record()]), ['MATCHED', 'DUPLICATE', 'MATCHED', 'DUPLICATE']);
  const fee = (amount: string, ours: OurRecord) =>
    one({ type: 'fee', reference: ours.id, amount: parseExact(amount)! }, ours);
  assert.deepEqual(
    [fee('0.49', record()), fee('1', record({ fee: null })), fee('1', PAYOUT)],
    ['AMOUNT_DIFFERS', 'PENDING', 'MISSING_HERE'],
  );
});

test('the payments of one transaction are matched one by one, and its hash may have capital letters', () => {
  const hash = 'ab'.repeat(32);
  const deposit = (id: string, amount: string) =>
    record({ type: 'deposit', id, outsideId: hash, amount: parseExact(amount)!, fee: null, status: 'RECORDED' });
  const lines = ['2.00', '1.00', '1.00'].map((amount, index) =>
    line({ number: index + 2, reference: hash.toUpperCase(), amount: parseExact(amount)! }),
  );
  assert.deepEqual(statusesOf(lines, [deposit('1', '1.00'), deposit('2', '2.00')], 'ledger-network'), [
    'MATCHED',
    'MATCHED',
    'DUPLICATE',
  ]);
});

test('only our records well inside the range are missing there', () => {
  const at = (time: string) => statusesOf([], [record({ at: time })])[0];
  assert.equal(at('2026-01-01T00:59:59.999999Z'), 'AT_EDGE');
  assert.equal(at('2026-01-01T01:00:00.000000Z'), 'MISSING_THERE');
  assert.equal(at('2026-01-31T22:59:59.999999Z'), 'MISSING_THERE');
  assert.equal(at('2026-01-31T23:00:00.000000Z'), 'AT_EDGE');
});

test('a suggestion names a record with the same amount near in time, once, and changes no status', () => {
  const lines = [2, 3].map((number) => line({ number, reference: `unknown-${number}` }));
  const found = compare({ statement: STATEMENT, lines, named: [], ofRange: [record()] });
  assert.deepEqual(
    found.map(({ status, suggestion }) => [status, suggestion?.id ?? null]),
    [
      ['MISSING_HERE', 'top_1'],
      ['MISSING_HERE', null],
      ['MISSING_THERE', null],
    ],
  );
  const late = compare({
    statement: STATEMENT,
    lines,
    named: [],
    ofRange: [record({ at: '2026-01-20T12:00:00.000000Z' })],
  });
  assert.equal(late[0]!.suggestion, null);
  const suggestedFor = (currency: OurRecord['currency']) =>
    compare({ statement: STATEMENT, lines, named: [], ofRange: [record({ currency })] })[0]!.suggestion?.id ?? null;
  assert.deepEqual([suggestedFor('USDC'), suggestedFor('XLM')], ['top_1', null]);
});
