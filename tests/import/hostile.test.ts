// CSV files that are wrong: every problem names its line, all of them are shown at once, and the reader never guesses an amount.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { readAmount } from '../../cli/src/import/amounts.ts';
import { checkSource, type Rules } from '../../cli/src/import/check.ts';
import { type Files, readFiles } from '../../cli/src/import/csv.ts';
import { parseExact, textOf } from '../../cli/src/import/exact-json.ts';
import { planOf } from '../../cli/src/import/plan.ts';
import { amountOf } from '../../cli/src/money.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { CSV } from './fixture.ts';

const RULES: Rules = {
  currencies: ['USD', 'USDC', 'XLM'],
  orderMin: 100_000n,
  orderMax: 10_000_000_000_000n,
  limits: {},
};

const readAll = async (t: TestContext, changed: Readonly<Record<string, string | Buffer>>) => {
  const folder = await temporaryFolder(t);
  const all = { ...CSV, ...changed };
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(folder, name), text);
  const files: Files = {
    users: path.join(folder, 'users.csv'),
    balances: path.join(folder, 'balances.csv'),
    orders: path.join(folder, 'orders.csv'),
  };
  return readFiles(files);
};

const problemsOf = async (t: TestContext, changed: Readonly<Record<string, string>>): Promise<string> => {
  const source = await readAll(t, changed);
  return [...checkSource(source, { rules: RULES, existing: new Set() }), ...planOf(source, 'x').problems].join('\n');
};

test('the files of the other tests have no problem', async (t) => {
  assert.equal(await problemsOf(t, {}), '');
});

const BAD_ROWS: readonly [name: keyof typeof CSV, row: string, problem: RegExp][] = [
  ['users.csv', 'ada,x@shop.example,,,', /users\.csv line 5: the externalUserId is already at users\.csv line 2/],
  ['users.csv', ',x@shop.example,,,', /line 5: externalUserId is empty/],
  ['users.csv', 'eve,not-an-address,,,', /line 5: "not-an-address" is not an e-mail address/],
  ['users.csv', 'eve,,ADMIN,,', /line 5: type "ADMIN" is not one of/],
  ['users.csv', 'eve,,,DELETED,', /line 5: status "DELETED" is not one of/],
  ['users.csv', `${'e'.repeat(201)},,,,`, /line 5: externalUserId is longer than 200/],
  ['users.csv', `eve,,,,${'e'.repeat(121)}`, /line 5: name is longer than 120/],
  ['users.csv', 'eve,,,,"Eve\nSmith"', /line 6: name must be one line with/],
  ['users.csv', 'eve,,,,E\u001b[31mve', /line 5: name must be one line with/],
  [
    'balances.csv',
    'ada,USD,1.00,',
    /line 5: the balance of this user in this currency is already at balances\.csv line 2/,
  ],
  ['balances.csv', 'eve,USD,1.00,', /line 5: there is no user eve/],
  ['balances.csv', 'grace,EUR,1.00,', /line 5: currency "EUR" is not one of/],
  ['balances.csv', 'grace,XLM,-1.00,', /line 5: available: -1\.00 is negative/],
  ['balances.csv', 'grace,XLM,0.00000001,', /line 5: available: 0\.00000001 has more than seven decimal places/],
  ['balances.csv', 'grace,XLM,0.005,', /line 5: available: 0\.005 has more than two decimal places/],
  ['balances.csv', 'grace,XLM,100000000000.00,', /line 5: available: .* has more than 11 whole digits/],
  ['balances.csv', 'grace,XLM,"1,000.00",', /line 5: available: "1,000\.00" is not an amount/],
  ['balances.csv', 'grace,XLM,1e3,', /line 5: available: "1e3" is not an amount/],
  ['balances.csv', 'grace,XLM,0x10,', /line 5: available: "0x10" is not an amount/],
  ['balances.csv', 'grace,XLM,=1+1,', /line 5: available: "=1\+1" is not an amount/],
  ['balances.csv', 'grace,XLM,,', /line 5: available: "" is not an amount/],
  ['balances.csv', 'grace,XLM,NaN,', /line 5: available: "NaN" is not an amount/],
  ['orders.csv', 'old-1,,ada,grace,1.00,USD,ORDER_CREATED,,,', /line 7: the order is already at orders\.csv line 2/],
  ['orders.csv', 'old-9,cart-1,ada,grace,1.00,USD,ORDER_CREATED,,,', /line 7: the reference is already at/],
  ['orders.csv', 'old-9,,ada,ada,1.00,USD,ORDER_CREATED,,,', /line 7: buyer and seller are the same user/],
  ['orders.csv', 'old-9,,ada,eve,1.00,USD,ORDER_CREATED,,,', /line 7: there is no user eve/],
  ['orders.csv', 'old-9,,ada,grace,0,USD,ORDER_CREATED,,,', /line 7: the amount 0\.00 is not within/],
  ['orders.csv', 'old-9,,ada,grace,1.00,USD,SHIPPED,,,', /line 7: the status "SHIPPED" is unknown/],
  ['orders.csv', 'old-9,,ada,grace,1.00,USD,ORDER_CREATED,100,,', /line 7: the platform fee "100" is not a percentage/],
  ['orders.csv', 'old-9,,ada,grace,1.00,USD,ORDER_CREATED,,a:0.50:x,', /line 7: the milestones add up to 0\.50/],
  ['orders.csv', 'old-9,,ada,grace,1.00,USD,ORDER_CREATED,,a,', /line 7: milestones: "a" is not like/],
  [
    'orders.csv',
    'old-9,,ada,grace,15.01,USD,FUNDS_RESERVED,,,',
    /balances\.csv line 2: 60\.00 is reserved, but its orders need 60\.01/,
  ],
];

test('a bad row is a problem that names its line', async (t) => {
  for (const [name, row, problem] of BAD_ROWS)
    assert.match(await problemsOf(t, { [name]: `${CSV[name]}${row}\n` }), problem);
});

test('a metadata.displayName that is not one line is a problem, as on the server', async (t) => {
  const source = await readAll(t, {});
  const problemsWith = (displayName: unknown) => {
    const users = source.users.slice(0, 1).map((user) => ({ ...user, metadata: { displayName } }));
    return checkSource({ ...source, users, balances: [], orders: [] }, { rules: RULES, existing: new Set() });
  };
  for (const fine of ['', 'Eve', ['a\nb'], undefined]) assert.deepEqual(problemsWith(fine), []);
  for (const broken of ['Eve\nSmith', 'E\u001b[31mve', ' '])
    assert.match(problemsWith(broken).join(), /^users\.csv line 2: metadata\.displayName must be one line with/);
});

const BAD_FILES: readonly [text: string | Buffer, message: RegExp][] = [
  ['', /users\.csv is empty/],
  ['email\nx@shop.example\n', /has no column externalUserId/],
  ['externalUserId,balance\nada,5\n', /unknown or repeated column "balance"/],
  ['externalUserId,externalUserId\nada,eve\n', /unknown or repeated column "externalUserId"/],
  ['externalUserId,email\nada\n', /not valid CSV: Invalid Record Length: .*on line 2/],
  ['externalUserId,email\n"ada,x\n', /not valid CSV: Quote Not Closed/],
  [`externalUserId\n"${'x'.repeat(70_000)}"\n`, /not valid CSV: Max Record Size/],
  [Buffer.from([0x65, 0x78, 0xff, 0xfe, 0x00]), /not a text file in UTF-8/],
];

test('a file that is no table of its columns is refused with its name', async (t) => {
  for (const [text, message] of BAD_FILES) await assert.rejects(readAll(t, { 'users.csv': text }), { message });
});

test('a byte order mark, Windows line ends, blank lines and quoted cells are read', async (t) => {
  const text = '\ufeffexternalUserId,email\r\n"ada"," ada@shop.example "\r\n\r\n"line\r\nbreak",\r\n';
  const { users } = await readAll(t, { 'users.csv': text });
  assert.deepEqual(
    users.map(({ externalUserId, email }) => [externalUserId, email]),
    [
      ['ada', 'ada@shop.example'],
      ['line\r\nbreak', null],
    ],
  );
});

test('every amount in whole cents is read exactly, as text and as a JSON number', () => {
  const cents = fc.bigInt({ min: 0n, max: 9_999_999_999_999n });
  fc.assert(
    fc.property(cents, fc.nat(5), (amount, zeros) => {
      const text = `${amountOf(amount * 100_000n)}${'0'.repeat(zeros)}`;
      const inJson = textOf((parseExact(`{"amount":${text}}`) as { amount: unknown }).amount);
      assert.deepEqual(
        [readAmount(text), readAmount(inJson)],
        [{ units: amount * 100_000n }, { units: amount * 100_000n }],
      );
    }),
    { numRuns: 500 },
  );
  for (const [json, units] of [
    ['1.5e2', 1_500_000_000n],
    ['1e-2', 100_000n],
    ['-0.00', 0n],
    ['90071992547.41', 900_719_925_474_100_000n],
  ] as const) {
    assert.deepEqual(readAmount(textOf(parseExact(json))), { units }, json);
  }
  assert.deepEqual(readAmount(textOf(parseExact('0.30000000000000004'))), {
    problem: '0.30000000000000004 has more than seven decimal places',
  });
});
