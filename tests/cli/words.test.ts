// The small parts that put words, amounts and times on a screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoldfastEvent } from '@holdfast/sdk';
import { amountOf, cellsOf, sumOf, unitsOf } from '../../cli/src/money.ts';
import { momentOf, secondsOf } from '../../cli/src/times.ts';
import { eventLine } from '../../cli/src/view/event-line.ts';
import { cut, harmless, paintFor, wantsColour, widthOf } from '../../cli/src/view/paint.ts';
import { tableOf } from '../../cli/src/view/table.ts';

const plain = (text: string): string => text;

test('amounts add up exactly, however large or small', () => {
  assert.equal(sumOf(['0.10', '0.20']), '0.30');
  assert.equal(sumOf(['99999999999.99', '0.0000001', '-1']), '99999999998.9900001');
  assert.equal(sumOf([]), '0.00');
  assert.equal(amountOf(unitsOf('-0.05')), '-0.05');
  assert.throws(() => unitsOf('1e3'), RangeError);
});

test('a bar is as long as its share, and something is never nothing', () => {
  const largest = unitsOf('100.00');
  assert.equal(cellsOf('50.00', { largest, cells: 10 }), 5);
  assert.equal(cellsOf('-100.00', { largest, cells: 10 }), 10);
  assert.equal(cellsOf('0.01', { largest, cells: 10 }), 1);
  assert.equal(cellsOf('0.00', { largest, cells: 10 }), 0);
});

test('lengths of time are read as people write them, and anything else is wrong usage', () => {
  assert.equal(secondsOf(['1d', '2h']), 93_600);
  assert.equal(secondsOf(['90s']), 90);
  for (const text of ['', 'soon', '5', '1d later', '-1h']) assert.throws(() => secondsOf([text]), { exitCode: 2 });
  assert.equal(momentOf('2026-01-31T12:00:00Z').toISOString(), '2026-01-31T12:00:00.000Z');
  assert.throws(() => momentOf('2026-99-99'), { exitCode: 2 });
});

test('a table is no wider than the terminal: only what may be cut is cut', () => {
  const rows = [{ id: 'usr_1234567890', title: 'a very long title that no table needs', amount: '10.00' }];
  const columns = [
    { title: 'id', of: (row: (typeof rows)[number]) => row.id },
    { title: 'title', of: (row: (typeof rows)[number]) => row.title, flexible: true as const },
    { title: 'amount', of: (row: (typeof rows)[number]) => row.amount, align: 'right' as const },
  ];
  const narrow = tableOf(rows, { columns, room: 40, head: plain });
  assert.ok(narrow.every((line) => line.length <= 40));
  assert.match(narrow[1]!, /^usr_1234567890 {2}a very.*… {3}10\.00$/);
  const piped = tableOf(rows, { columns, room: null, head: plain });
  assert.match(piped[1]!, /no table needs {3}10\.00$/);
  const hopeless = tableOf(rows, { columns, room: 5, head: plain });
  assert.match(hopeless[1]!, /usr_1234567890/);
});

test('a table of many ids fits eighty columns: the least needed is left out, then ids lose their middle', () => {
  const id = `usr_${'0123456789'.repeat(3)}`.slice(0, 30);
  const columns = [
    { title: 'id', of: () => id },
    { title: 'user', of: () => id },
    { title: 'status', of: () => 'PENDING_VERIFICATION' },
    { title: 'created', of: () => '2026-01-31 12:00', minor: true as const },
  ];
  const [head, row] = tableOf([{}], { columns, room: 80, head: plain });
  assert.doesNotMatch(head!, /created/);
  assert.match(row!, new RegExp(`^${id} {2}usr_\\d+…\\d+ {2}PENDING_VERIFICATION$`));
  assert.ok(row!.length <= 80);
});

test('letters of two cells are counted as two, and marks as none', () => {
  assert.deepEqual([widthOf('商店'), widthOf('e\u0301'), widthOf('👩‍💻'), widthOf('abc')], [4, 1, 2, 3]);
  assert.equal(cut('商店の名前', 7), '商店の…');
});

test('an event is one line of at most eighty columns, also of another day', () => {
  const event = {
    eventType: 'balance.reservation_cancelled',
    aggregateId: `usr_${'0123456789'.repeat(3)}`.slice(0, 30),
    occurredAt: '2020-01-31T12:00:00.123456Z',
    payload: { amount: '12345.67', currency: 'USDC', reason: 'because it was called off by both of them' },
  } as unknown as HoldfastEvent;
  const line = eventLine(event, { paint: paintFor(false), room: 80 });
  assert.ok(widthOf(line) <= 80, line);
  assert.match(line, /12345\.67 USDC/);
});

test('text of other users cannot colour the terminal, move its cursor or reverse its direction', () => {
  assert.equal(harmless('a\u001b[31mb\nc\u0007'), 'ab c ');
  assert.equal(harmless('invoice\u202efdp.exe\u2069'), 'invoicefdp.exe');
});

test('colour is for terminals, and NO_COLOR is honoured', () => {
  assert.equal(wantsColour({ isTTY: true }, {}), true);
  assert.equal(wantsColour({ isTTY: true }, { NO_COLOR: '1' }), false);
  assert.equal(wantsColour({}, {}), false);
  assert.equal(paintFor(false).red('x'), 'x');
  assert.notEqual(paintFor(true).red('x'), 'x');
});
