// GET /users/{id}/statement, by status, range, page and format.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactUnits } from '../../tools/decimals.ts';
import type { Any } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals } from '../payments/withdrawal-fixture.ts';
import type { TestApp } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';

const units = (text: string): bigint => {
  assert.match(text, /^-?\d+\.\d{2,7}$/);
  return exactUnits(text);
};

const statementOf = async (app: TestApp, userId: string, query = ''): Promise<Any> => {
  const { status, body, text } = await app.call(`GET /users/${userId}/statement?${query}`);
  assert.equal(status, 200, text);
  return body.data;
};

/** The opening and all lines are the closing, in each part and after each line. */
const assertAddsUp = ({ opening, lines, closing }: Any): void => {
  const now: Record<string, bigint> = { available: units(opening.available), reserved: units(opening.reserved) };
  for (const { account, amount, balanceAfter } of lines) {
    now[account]! += units(amount);
    assert.equal(now[account], units(balanceAfter));
  }
  assert.deepEqual(now, { available: units(closing.available), reserved: units(closing.reserved) });
  for (const { available, reserved, total } of [opening, closing]) {
    assert.equal(units(available) + units(reserved), units(total));
  }
};

const credit = (app: TestApp, userId: string, body: object) =>
  app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '10.00', ...body } });

const tableOf = (text: string): string[][] =>
  text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','));

test('200 shows every change with its reason and what was there then, and adds up', async (t) => {
  const { app, aPayee, aTopup, pay, aWithdrawal, commit, move, balance } = await openSharedWithdrawals(t);
  const userId = await aPayee();
  const paidIn = await aTopup({ userId, body: { description: 'For the game' } });
  await pay(paidIn.id, 'confirm');
  const done = await aWithdrawal({ userId });
  await commit(done.id);
  await move(done.id, 'complete');
  const failed = await aWithdrawal({ userId, body: { amount: '1.00', destination: { type: 'bank', ref: 'my bank' } } });
  await commit(failed.id);
  await move(failed.id, 'fail');
  const statement = await statementOf(app, userId);
  assert.deepEqual(Object.keys(statement), [
    ...['userId', 'currency', 'from', 'to', 'opening', 'lines', 'closing', 'hasMore', 'nextCursor'],
  ]);
  const lines = statement.lines.map(({ time, ...line }: Any) => {
    assert.ok(time >= statement.from && time < statement.to);
    return Object.values(line);
  });
  assert.deepEqual(lines, [
    ['available', 'credit', null, null, 'operator', '100.00', '100.00'],
    ['available', 'topup', 'For the game', paidIn.id, 'payment_provider', '25.50', '125.50'],
    ['available', 'reserve', null, done.id, 'own_balance', '-25.50', '100.00'],
    ['reserved', 'reserve', null, done.id, 'own_balance', '25.50', '25.50'],
    ['reserved', 'payout', null, done.id, 'payment_provider', '-25.50', '0.00'],
    ['available', 'reserve', 'my bank', failed.id, 'own_balance', '-1.00', '99.00'],
    ['reserved', 'reserve', 'my bank', failed.id, 'own_balance', '1.00', '1.00'],
    ['available', 'withdrawal_return', null, failed.id, 'own_balance', '1.00', '100.00'],
    ['reserved', 'withdrawal_return', null, failed.id, 'own_balance', '-1.00', '0.00'],
  ]);
  assertAddsUp(statement);
  assert.deepEqual(statement.opening, { available: '0.00', reserved: '0.00', total: '0.00' });
  assert.deepEqual(statement.closing, { available: '100.00', reserved: '0.00', total: '100.00' });
  assert.equal(await balance(userId), '100.00 + 0.00');
  assert.deepEqual([statement.hasMore, statement.nextCursor], [false, null]);
});

test('200 names an escrow, and carries all places where a fee has them', async (t) => {
  const { app, parties, anOrder, completeAll, expect } = await openSharedOrders(t);
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, amount: '33.33', metadata: { platformFee: 1.37 } });
  await completeAll(order);
  await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
  const buyer = await statementOf(app, who.buyer);
  const seller = await statementOf(app, who.seller);
  for (const statement of [buyer, seller]) assertAddsUp(statement);
  assert.deepEqual(
    buyer.lines.map(({ move, counterparty, reference }: Any) => [move, counterparty, reference === order.id]),
    [
      ['credit', 'operator', false],
      ['reserve', 'own_balance', true],
      ['reserve', 'own_balance', true],
      ['fund_escrow', 'escrow', true],
    ],
  );
  const [paid] = seller.lines;
  assert.deepEqual([paid.move, paid.counterparty], ['pay_seller', 'escrow']);
  assert.match(paid.amount, /^32\.8733\d*$/);
});

test('200 for a range in the past: what was before it is the opening, what came after is not in it', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  const times: string[] = [];
  for (const reference of ['one', 'two', 'three', 'four']) {
    await credit(app, userId, { reference });
    times.push((await statementOf(app, userId)).lines.at(-1).time);
  }
  const [, second, third] = times as [string, string, string];
  const between = await statementOf(app, userId, `from=${second}&to=${third}`);
  assert.deepEqual(
    between.lines.map(({ reference }: Any) => reference),
    ['two'],
    'the beginning is in it, the end is not',
  );
  assert.deepEqual([between.opening.available, between.closing.available], ['10.00', '20.00']);
  assert.deepEqual([between.from, between.to], [second, third]);
  const before = await statementOf(app, userId, 'from=2020-01-01&to=2020-12-31T23:59:59Z');
  assert.deepEqual([before.lines, before.opening.total, before.closing.total], [[], '0.00', '0.00']);
  const after = await statementOf(app, userId, 'from=2030-01-01&to=2030-02-01');
  assert.deepEqual([after.lines, after.opening.total, after.closing.total], [[], '40.00', '40.00']);
});

test('200 of one currency, the base currency when none is named', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  await credit(app, userId, {});
  await credit(app, userId, { currency: 'XLM', amount: '7.00' });
  const usd = await statementOf(app, userId);
  const xlm = await statementOf(app, userId, 'currency=XLM');
  assert.deepEqual([usd.currency, usd.closing.total, usd.lines.length], ['USD', '10.00', 1]);
  assert.deepEqual([xlm.currency, xlm.closing.total, xlm.lines.length], ['XLM', '7.00', 1]);
});

test('200 page by page has every line once, also when new lines are booked between two pages', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  for (let i = 0; i < 4; i++) {
    await credit(app, userId, {});
    await app.call(`POST /users/${userId}/balance/reserve`, { body: { amount: '3.00', orderId: `o${i}` } });
  }
  const whole = await statementOf(app, userId);
  assert.equal(whole.lines.length, 12);
  for (const limit of [1, 2, 5, 12, 13]) {
    const lines: Any[] = [];
    let query = `limit=${limit}&to=${whole.to}`;
    for (;;) {
      const page = await statementOf(app, userId, query);
      assert.deepEqual([page.opening, page.closing], [whole.opening, whole.closing], `${limit}`);
      lines.push(...page.lines);
      assert.equal(page.hasMore, page.nextCursor !== null);
      if (!page.hasMore) break;
      await credit(app, userId, {});
      query = `limit=${limit}&cursor=${page.nextCursor}`;
    }
    assert.deepEqual(lines, whole.lines, `${limit}`);
  }
});

test('200 as a table: a header, the opening, the lines, the closing; by format or by Accept', async (t) => {
  const { app, aWithdrawal, aPayee } = await openSharedWithdrawals(t);
  const userId = await aPayee();
  const { id } = await aWithdrawal({ userId });
  const asked = await app.call(`GET /users/${userId}/statement?format=csv`);
  assert.equal(asked.status, 200);
  assert.equal(asked.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(asked.headers.get('content-disposition'), `attachment; filename="statement-${userId}-USD.csv"`);
  const rows = tableOf(asked.text);
  assert.deepEqual(rows[0], [
    ...['time', 'account', 'move', 'description', 'reference', 'counterparty', 'amount', 'balance_after'],
  ]);
  assert.deepEqual(
    rows.slice(1).map(([, ...row]) => row),
    [
      ['available', 'opening_balance', '', '', '', '', '0.00'],
      ['reserved', 'opening_balance', '', '', '', '', '0.00'],
      ['available', 'credit', '', '', 'operator', '100.00', '100.00'],
      ['available', 'reserve', '', id, 'own_balance', '-25.50', '74.50'],
      ['reserved', 'reserve', '', id, 'own_balance', '25.50', '25.50'],
      ['available', 'closing_balance', '', '', '', '', '74.50'],
      ['reserved', 'closing_balance', '', '', '', '', '25.50'],
    ],
  );
  const accepted = await app.call(`GET /users/${userId}/statement`, { headers: { accept: 'text/csv' } });
  assert.deepEqual(tableOf(accepted.text).length, rows.length);
  const fields = await app.call(`GET /users/${userId}/statement?format=json`, { headers: { accept: 'text/csv' } });
  assert.equal(fields.body.data.closing.total, '100.00');
  assert.match(fields.body.meta.requestId, /./);
});

test('200 as a table page by page: the opening is in the first, the closing in the last', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  for (let i = 0; i < 3; i++) await credit(app, userId, { reference: `r${i}` });
  const moves: string[][] = [];
  let query = 'format=csv&limit=2';
  for (;;) {
    const { text, headers } = await app.call(`GET /users/${userId}/statement?${query}`);
    moves.push(
      tableOf(text)
        .slice(1)
        .map((row) => row[4] || row[2]!),
    );
    const next = headers.get('x-next-cursor');
    if (next === null) break;
    query = `format=csv&limit=2&cursor=${next}`;
  }
  assert.deepEqual(moves, [
    ['opening_balance', 'opening_balance', 'r0', 'r1'],
    ['r2', 'closing_balance', 'closing_balance'],
  ]);
});

test('200 as CSV in which no text of a user becomes a formula, another cell or another line', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  const texts = ['=1+1', '+cmd', '-2', '@sum', 'plain, with "quotes"', 'two\nlines', 'a=b'];
  for (const text of texts) await credit(app, userId, { description: text, reference: text });
  const { text } = await app.call(`GET /users/${userId}/statement?format=csv`);
  for (const [given, shown] of Object.entries({
    '=1+1': "'=1+1",
    '+cmd': "'+cmd",
    '-2': "'-2",
    '@sum': "'@sum",
    'plain, with "quotes"': '"plain, with ""quotes"""',
    'two\nlines': '"two\nlines"',
    'a=b': 'a=b',
  })) {
    assert.ok(text.includes(`,credit,${shown},${shown},operator,10.00,`), given);
  }
});

test('400 VALIDATION_ERROR for a range that is none, too long, or another than the cursor has', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  for (let i = 0; i < 2; i++) await credit(app, userId, {});
  const { nextCursor } = await statementOf(app, userId, 'limit=1');
  const forged = Buffer.from(JSON.stringify(['2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '0', '0']));
  for (const query of [
    'from=2026-02-01&to=2026-01-01',
    'from=2026-01-01&to=2026-01-01',
    'from=2024-01-01&to=2026-01-01',
    'from=2999-01-01',
    'from=yesterday',
    'to=2026-02-30',
    'currency=EUR',
    'format=docx',
    'limit=0',
    'limit=1001',
    'page=2',
    'cursor=nonsense',
    `cursor=${forged.toString('base64url')}`,
    `cursor=${nextCursor}&from=2026-01-01`,
  ]) {
    const { status, body } = await app.call(`GET /users/${userId}/statement?${query}`);
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR'], query);
  }
});

test('404 USER_NOT_FOUND for an unknown id, and for a user of another marketplace', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  const path = `GET /users/${userId}/statement`;
  const foreign = await app.call(path, { key: await app.key(['read'], 'mkt_other') });
  assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'USER_NOT_FOUND']);
  const unknown = await app.call('GET /users/unknown/statement?format=csv');
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'USER_NOT_FOUND']);
});
