// The upload of provider statements, by status: what is stored, what is refused with its row, and that a refused file leaves nothing.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { codeOf } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { bodyOf, HEADER, uploadsTo } from './statement-fixture.ts';

const FILE = `${HEADER}\n2026-01-02,pay-1,25.00,USD\n2026-01-03T10:00:00Z,pay-2,-7.1234567,USD\n`;

const storedIn = async (app: Awaited<ReturnType<typeof openApp>>): Promise<number> => {
  const rows =
    await app.sql(`select (select count(*) from provider_statements) + (select count(*) from provider_statement_lines)
    + (select count(*) from provider_statement_counts) as stored`);
  return Number(rows[0]!.stored);
};

test('201 stores the lines exactly; list, record, lines and audit entry show them', async (t) => {
  const app = await openApp(t);
  const { upload, lines } = uploadsTo(app);
  const made = await upload(FILE);
  assert.equal(made.status, 201, made.text);
  const { id, createdAt, author, ...rest } = made.body.data;
  assert.match(id, /^pst_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal(author.type, 'api_key');
  const sha256 = createHash('sha256').update(FILE).digest('hex');
  assert.deepEqual(rest, {
    system: 'payment-provider',
    fileName: 'january.csv',
    sha256,
    sizeBytes: FILE.length,
    lines: 2,
    from: '2026-01-01T00:00:00.000000Z',
    to: '2026-02-01T00:00:00.000000Z',
    toleranceMinutes: 60,
    columns: { date: 'date', reference: 'reference', amount: 'amount', currency: 'currency' },
  });
  assert.deepEqual((await app.call('GET /provider-statements')).body.data.data, [made.body.data]);
  assert.deepEqual((await app.call('GET /provider-statements?system=ledger-network')).body.data.data, []);
  const report = (await app.call(`GET /provider-statements/${id}`)).body.data;
  assert.deepEqual(report.totals, [{ currency: 'USD', status: 'MISSING_HERE', count: 2, amount: '32.1234567' }]);
  assert.equal(report.isComplete, true);
  assert.deepEqual(
    (await lines(id)).map(({ row, date, reference, amount }) => [row, date, reference, amount]),
    [
      [2, '2026-01-02T00:00:00.000000Z', 'pay-1', '25.00'],
      [3, '2026-01-03T10:00:00.000000Z', 'pay-2', '-7.1234567'],
    ],
  );
  const [entry] = (await app.call(`GET /audit/logs?resourceId=${id}`)).body.data.data;
  assert.deepEqual([entry.action, entry.resourceType], ['PROVIDER_STATEMENT_ADDED', 'ProviderStatement']);
  const { from, to } = rest;
  const after = { system: 'payment-provider', from, to, sha256, sizeBytes: FILE.length, lines: 2 };
  assert.deepEqual(entry.payloadAfter, after);
});

test('200 with the statement that exists for the same file; another range is another statement', async (t) => {
  const app = await openApp(t);
  const { upload, uploaded } = uploadsTo(app);
  const first = await uploaded(FILE);
  const again = await upload(FILE, { fileName: 'copy.csv' });
  assert.deepEqual([again.status, again.body.data], [200, first]);
  const other = await uploaded(FILE, { to: '2026-01-20' });
  assert.notEqual(other.id, first.id);
  assert.equal(await storedIn(app), 2 + 4 + 1);
});

test('of many uploads of one file at once, one is stored', async (t) => {
  const app = await openApp(t);
  const { upload } = uploadsTo(app);
  const answers = await Promise.all(Array.from({ length: 4 }, () => upload(FILE)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201]);
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1);
});

test('a preview stores nothing', async (t) => {
  const app = await openApp(t);
  const answer = await app.call('POST /provider-statements', { body: bodyOf(FILE), headers: { 'dry-run': 'true' } });
  assert.deepEqual([answer.status, answer.body.data.status, answer.body.data.reply.lines], [200, 201, 2]);
  assert.equal(await storedIn(app), 0);
});

test('other names of columns, a byte order mark, CRLF, quotes with line breaks, empty lines and other zones are read', async (t) => {
  const app = await openApp(t);
  const { uploaded, lines } = uploadsTo(app);
  const text = `\ufeffSettled at,Payment ID,Paid,Note,Kind\r\n2026-01-05 12:30:00,pay-1,+1.50,"says ""hi"",\r\nand bye",Payin\r\n\r\n2026-01-06T00:30:00+02:00, pay-2 ,2,,fee\r\n`;
  const columns = { date: 'settled at', reference: 'Payment id', amount: 'PAID', description: 'note', type: 'Kind' };
  const made = await uploaded(text, { columns, currency: 'USDC' });
  assert.deepEqual(made.columns, {
    date: 'Settled at',
    reference: 'Payment ID',
    amount: 'Paid',
    type: 'Kind',
    description: 'Note',
  });
  assert.deepEqual(
    (await lines(made.id)).map((line) => [
      line.row,
      line.date,
      line.reference,
      line.amount,
      line.currency,
      line.description,
      line.type,
    ]),
    [
      [2, '2026-01-05T12:30:00.000000Z', 'pay-1', '1.50', 'USDC', 'says "hi",\r\nand bye', 'Payin'],
      [4, '2026-01-05T22:30:00.000000Z', 'pay-2', '2.00', 'USDC', null, 'fee'],
    ],
  );
});

test('400 names each wrong row and what is wrong, and nothing is stored', async (t) => {
  const app = await openApp(t);
  const { problemsOf } = uploadsTo(app);
  const rows: [string, RegExp][] = [
    ...[
      '1e400',
      '1e2',
      'NaN',
      'Infinity',
      '0x10',
      '1,000.00',
      '$5',
      '',
      '1.',
      '.5',
      '1.12345678',
      '999999999999',
      '--1',
      '１',
    ].map((amount): [string, RegExp] => [`2026-01-02,a,"${amount}",USD`, /^row 2: amount must be a decimal/]),
    ...['02/01/2026', '2026-02-30', '2026-13-01', '2026-01-02T25:00:00Z', 'yesterday', ''].map(
      (date): [string, RegExp] => [`${date},a,1.00,USD`, /^row 2: date must be a date/],
    ),
    ['2025-12-30,a,1.00,USD', /^row 2: date 2025-12-30 is not in the range/],
    ['2026-02-03,a,1.00,USD', /^row 2: date 2026-02-03 is not in the range/],
    ['2026-01-02,a,1.00,dollars', /^row 2: currency must be a code/],
    ['2026-01-02,a,1.00,', /^row 2: has no currency/],
    ['2026-01-02,a,1.00', /^row 2: has 3 cells, and the header has 4/],
    ['2026-01-02,a,1.00,USD,x', /^row 2: has 5 cells/],
    [`2026-01-02,${'a'.repeat(LIMITS.referenceLength + 1)},1.00,USD`, /^row 2: reference must have at most/],
    ['2026-01-02,a\u001b[31m,1.00,USD', /^row 2: reference contains a control character/],
    ['2026-01-02,"a,1.00,USD', /^row 2: has a quotation mark that is not closed/],
    ['2026-01-02,a"b,1.00,USD', /^row 2: has a quotation mark/],
    [`2026-01-02,"${'x'.repeat(30_000)}",1.00,USD`, /^row 2: has more than 20000 characters/],
  ];
  for (const [row, expected] of rows) {
    const [first] = await problemsOf(`${HEADER}\n${row}\n`);
    assert.match(first!, expected, row.slice(0, 80));
  }
  const many = await problemsOf(`${HEADER}\n2026-01-02,a,x,USD\n2026-01-02,a,1.00,USD\n2026-01-02,a,y,USD\n`);
  assert.deepEqual(
    many.map((text) => text.slice(0, 6)),
    ['row 2:', 'row 4:'],
  );
  assert.equal((await problemsOf(`${HEADER}\n${'x,a,x,USD\n'.repeat(200)}`)).length, 50);
  assert.equal(await storedIn(app), 0);
});

test('400 for a file that is no such table says what to do', async (t) => {
  const app = await openApp(t);
  const { problemsOf, upload } = uploadsTo(app);
  const files: [string | Uint8Array, RegExp][] = [
    ['date;reference;amount;currency\n2026-01-02;a;1,00;USD\n', /separated by semicolons. Save it as CSV with commas/],
    ['date\treference\tamount\n', /separated by tabs/],
    ['when,what,amount\n', /^The file has no column "date". Its columns are "when", "what", "amount"/],
    ['date,date,reference,amount\n', /more than one column "date"/],
    [Buffer.from('date,reference,amount\n2026-01-02,M\u00fcller,1.00\n', 'latin1'), /not UTF-8/],
    [Buffer.from('\ufeffdate,reference\n', 'utf16le'), /not UTF-8|null characters/],
    [`${HEADER}\n2026-01-02,a\0b,1.00,USD\n`, /null characters/],
    ['\n\n', /has no column "date"/],
    [`${HEADER}\n${'2026-01-02,a,1.00,USD\n'.repeat(LIMITS.providerStatementLines + 1)}`, /more than 5000 lines/],
  ];
  for (const [file, expected] of files) assert.match((await problemsOf(file)).join(' '), expected);
  const bad: [object, RegExp][] = [
    [{ from: '2026-02-01' }, /from must be before to/],
    [{ to: '2126-01-01', from: '2125-12-31' }, /to must not be in the future/],
    [{ from: '2024-01-01', to: '2025-06-01' }, /at most 366 days/],
    [{ columns: { fee: 'Charge' } }, /no column "Charge".*columns\.fee/],
    [{ columns: { colour: 'x' } }, /colour/],
    [{ content: '%%%' }, /base64/],
    [{ system: 'bank' }, /system/],
    [{ toleranceMinutes: 1_441 }, /toleranceMinutes/],
    [{ fileName: '../x.csv' }, /fileName/],
  ];
  for (const [more, expected] of bad) assert.match((await problemsOf(FILE, more)).join(' '), expected);
  const large = await upload(Buffer.alloc(LIMITS.providerStatementBytes + 1, 'a'));
  assert.equal(codeOf(large), '413 PAYLOAD_TOO_LARGE');
  assert.equal(await storedIn(app), 0);
});

test('a file with only its header is a statement without lines', async (t) => {
  const app = await openApp(t);
  const { uploaded, lines } = uploadsTo(app);
  const { id, lines: count } = await uploaded(`${HEADER}\n`);
  assert.deepEqual([count, await lines(id)], [0, []]);
});

test('a formula in the file is no formula in the report', async (t) => {
  const app = await openApp(t);
  const { id } = await uploadsTo(app).uploaded(
    `${HEADER},description\n2026-01-02,=HYPERLINK("x"),-1.00,USD,@SUM(A1)\n`.replace(
      '=HYPERLINK("x")',
      '"=HYPERLINK(""x"")"',
    ),
  );
  const file = await fetch(`${app.url}/api/v1/provider-statements/${id}/report`, {
    headers: { authorization: `Bearer ${await app.key(['read'])}` },
  });
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(file.headers.get('content-disposition'), `attachment; filename="provider-statement-${id}.csv"`);
  const [head, row] = (await file.text()).split('\r\n');
  assert.match(head!, /^status,row,date,reference,type,amount,/);
  assert.equal(
    row,
    `MISSING_HERE,2,2026-01-02T00:00:00.000000Z,"'=HYPERLINK(""x"")",,-1.00,,USD,,,,,,,,No record has this reference.,,'@SUM(A1)`,
  );
});

test('404 PROVIDER_STATEMENT_NOT_FOUND in another marketplace, where the same file is another statement', async (t) => {
  const app = await openApp(t);
  const { uploaded, upload } = uploadsTo(app);
  const { id } = await uploaded(FILE);
  const key = await app.key(['*'], 'mkt_elsewhere');
  for (const path of ['', '/lines', '/report']) {
    const answer = await app.call(`GET /provider-statements/${id}${path}`, { key });
    assert.equal(codeOf(answer), '404 PROVIDER_STATEMENT_NOT_FOUND', path);
  }
  assert.deepEqual((await app.call('GET /provider-statements', { key })).body.data.data, []);
  const theirs = await app.call('POST /provider-statements', { key, body: bodyOf(FILE) });
  assert.equal(theirs.status, 201);
  assert.notEqual(theirs.body.data.id, id);
  assert.equal((await upload(FILE)).body.data.id, id);
  for (const unknown of ['none', 'pst_01J9ZQ8H7K5M3N2P4R6S8T0V1W']) {
    assert.equal((await app.call(`GET /provider-statements/${unknown}`)).status, 404);
  }
});

test('403 without the scope treasury', async (t) => {
  const app = await openApp(t);
  const answer = await app.call('POST /provider-statements', { key: await app.key(['read']), body: bodyOf(FILE) });
  assert.equal(codeOf(answer), '403 INSUFFICIENT_SCOPE');
});

test('409 PROVIDER_STATEMENT_LIMIT for one more than the marketplace may have', async (t) => {
  const app = await openApp(t);
  const { upload, uploaded } = uploadsTo(app);
  await uploaded(FILE);
  await app.sql('update provider_statement_counts set statements = $1, version = version + 1', [
    LIMITS.providerStatements,
  ]);
  const full = await upload(FILE, { to: '2026-01-20' });
  assert.equal(codeOf(full), '409 PROVIDER_STATEMENT_LIMIT');
  const { limitedBy, limit } = full.body.error.details;
  assert.deepEqual([limitedBy, limit], ['statements', LIMITS.providerStatements]);
  assert.equal((await upload(FILE)).status, 200);
});
