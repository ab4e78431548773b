// A statement that the payment provider could send, made from the provider's own records over HTTP: first all lines match, then each kind
// of difference is found. A later comparison sees what has happened since.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedWithdrawals } from '../payments/withdrawal-fixture.ts';
import { paymentOf } from '../sandbox/payment-client.ts';
import { type Any, uploadsTo } from './statement-fixture.ts';

const HEADER = 'date,type,reference,amount,currency,fee';

const DAY_MS = 86_400_000;

type StatementRow = { date: string; type: string; reference: string; amount: number; currency: string; fee: number };

/** The provider's records of these codes, as lines of its statement. */
const statementOf = async (url: string, codes: readonly string[]): Promise<StatementRow[]> => {
  const api = paymentOf(url);
  const rows: StatementRow[] = [];
  for (const code of codes) {
    const type = code.startsWith('top_') ? 'payin' : 'payout';
    const { status, body } = await api(`GET /${type}s/by-code/${code}`);
    assert.equal(status, 200);
    const { id: reference, updatedAt: date, amount, airtmFee: fee } = body as Any;
    rows.push({ date, type, reference, amount: type === 'payin' ? amount : -amount, currency: 'USD', fee });
  }
  return rows;
};

const fileOf = (rows: readonly StatementRow[]): string =>
  [HEADER, ...rows.map((row) => Object.values(row).join(',')), ''].join('\n');

const shownOf = (lines: Any[]) => lines.map(({ status, row, record }) => [status, row, record?.id ?? null]);

test('a statement of the provider matches; each change of it is found; a later run sees what happened since', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, aTopup, pay, arm, aPayee, aWithdrawal, move, untilPayout, untilStatus, sandbox } = fixture;
  const { uploaded, lines } = uploadsTo(app);

  const first = await aTopup({ body: { amount: '25.50' } });
  const second = await aTopup({ body: { amount: '40.00' } });
  // A webhook has no fee, and the provider's own record has one: the first top-up is read, and the second is not.
  arm({ operation: 'webhook', fault: 'drop', match: 'payin.succeeded' });
  await pay(first.id, 'confirm');
  await app.call(`POST /topups/${first.id}/refresh`);
  await pay(second.id, 'confirm');
  const userId = await aPayee();
  const paid = await aWithdrawal({ userId, body: { amount: '7.00', commit: true } });
  await untilPayout(paid.id, 'COMMITTED');
  await move(paid.id, 'complete');
  await untilStatus(paid.id, 'WITHDRAWAL_COMPLETED');

  const codes = [first.id, second.id, paid.id];
  const rows = await statementOf(sandbox.url, codes);
  const range = {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date().toISOString(),
    toleranceMinutes: 0,
  };
  const upload = (wanted: readonly StatementRow[]): Promise<Any> => uploaded(fileOf(wanted), range);

  const all = await upload(rows);
  assert.deepEqual(
    shownOf(await lines(all.id)),
    codes.map((id, index) => ['MATCHED', index + 2, id]),
  );
  const { totals } = (await app.call(`GET /provider-statements/${all.id}`)).body.data;
  assert.deepEqual(totals, [{ currency: 'USD', status: 'MATCHED', count: 3, amount: '72.50' }]);

  const removed = await upload(rows.slice(1));
  assert.deepEqual(shownOf(await lines(removed.id, 'status=MISSING_THERE')), [['MISSING_THERE', null, first.id]]);

  const changed = await upload([
    { ...rows[0]!, amount: 25.51 },
    rows[1]!,
    rows[1]!,
    rows[2]!,
    { ...rows[0]!, type: 'fee', amount: 0 },
    { ...rows[1]!, type: 'fee', amount: 0 },
    { ...rows[0]!, reference: 'unknown-payment', amount: 3 },
  ]);
  const found = await lines(changed.id);
  assert.deepEqual(shownOf(found), [
    ['AMOUNT_DIFFERS', 2, first.id],
    ['MATCHED', 3, second.id],
    ['DUPLICATE', 4, second.id],
    ['MATCHED', 5, paid.id],
    ['MATCHED', 6, first.id],
    ['PENDING', 7, second.id],
    ['MISSING_HERE', 8, null],
  ]);
  assert.deepEqual([found[0].difference, found[0].record.amount, found[6].suggestion], ['0.01', '25.50', null]);

  const open = await aWithdrawal({ userId, body: { amount: '2.00', commit: true } });
  await untilPayout(open.id, 'COMMITTED');
  const later = { ...range, to: new Date().toISOString() };
  const early = await uploaded(fileOf([...rows, ...(await statementOf(sandbox.url, [open.id]))]), later);
  assert.deepEqual(shownOf(await lines(early.id, 'status=PENDING')), [['PENDING', 5, open.id]]);
  const without = await uploaded(fileOf(rows), later);
  assert.deepEqual(shownOf(await lines(without.id, 'status=PENDING')), [['PENDING', null, open.id]]);
  await move(open.id, 'complete');
  await untilStatus(open.id, 'WITHDRAWAL_COMPLETED');
  assert.deepEqual(
    shownOf(await lines(early.id)).map(([status]) => status),
    Array(4).fill('MATCHED'),
  );
});

test('pages follow the file, then our records, and a page of one status has only that status', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { app, aTopup, pay } = fixture;
  const { uploaded } = uploadsTo(app);
  const made = [await aTopup(), await aTopup(), await aTopup()].map(({ id }) => id);
  for (const id of made) await pay(id, 'confirm');
  const { data: shown } = (await app.call('GET /topups')).body.data;
  assert.deepEqual(new Set(shown.map(({ status }: Any) => status)), new Set(['TOPUP_SUCCEEDED']));
  const day = new Date().toISOString().slice(0, 10);
  const text = ['date,reference,amount,currency', ...['a', 'b'].map((name) => `${day},${name},1.00,USD`), ''].join(
    '\n',
  );
  const range = {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date().toISOString(),
    toleranceMinutes: 0,
  };
  const { id } = await uploaded(text, range);
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { data } = (await app.call(`GET /provider-statements/${id}/lines?limit=2${cursor}`)).body;
    ids.push(...data.data.map((one: Any) => one.id));
    if (!data.hasMore) break;
    cursor = `&cursor=${data.nextCursor}`;
  }
  assert.deepEqual(ids, ['row-2', 'row-3', ...made.toSorted()]);
  const file = await app.call(`GET /provider-statements/${id}/report?format=jsonl&status=MISSING_THERE`);
  const reported = file.text
    .trim()
    .split('\n')
    .map((one: string) => JSON.parse(one));
  assert.deepEqual(
    reported.map((one: Any) => one.record.id),
    made.toSorted(),
  );
});
