// A source that leaves money or records out: the import stops with a sentence, and never imports a part as if it were everything. An
// address with a password is refused and not printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApi } from '../../cli/src/import/source-api.ts';
import { createSourceReader } from '../../cli/src/import/source-http.ts';
import { openApp } from '../support/shared-app.ts';
import { openImport } from './fixture.ts';
import { type Fault, OTHER_KEY, startOtherSystem } from './other-system.ts';

const FOREVER = new AbortController().signal;

const readerOf = (url: string) => createSourceReader({ url, key: OTHER_KEY }, FOREVER);

const readAll = async (t: Parameters<typeof startOtherSystem>[0], fault: Fault) => {
  const { url } = await startOtherSystem(t, fault);
  return readApi({ url, reader: readerOf(url), currencies: ['USD', 'XLM'], reopen: [], onProgress: () => {} });
};

const HUNDRED = Array.from({ length: 100 }, (_, at) => `{"id":"usr_${at}"}`).join();

const BAD_LISTS: readonly [what: string, list: string, message: RegExp][] = [
  ['the cursor is ignored', `{"data":[${HUNDRED}],"hasMore":true}`, /\/users has more .* Only 100 could be read/],
  [
    'the cursor of the source leads nowhere',
    `{"data":[${HUNDRED}],"meta":{"hasMore":true,"nextCursor":"usr_99"}}`,
    /\/users has more records, and the next page has no new one/,
  ],
  ['a page is empty', '{"data":[],"hasMore":true}', /Only 0 could be read/],
  ['an id is a number', '{"data":[{"id":7}],"hasMore":false}', /a record without an id as text in \/users/],
];

test('a list that cannot be read to its end stops the import', async (t) => {
  for (const [what, list, message] of BAD_LISTS)
    await assert.rejects(
      readAll(t, (path) => (path === '/users' ? list : undefined)),
      { message },
      what,
    );
});

const BAD_BALANCES: readonly [answer: string | number, problem: string][] = [
  [404, 'user usr_003: the source answers /users/usr_003/balance with the status 404 for every currency.'],
  [400, 'user usr_003: the source answers /users/usr_003/balance with the status 400.'],
  [
    '[{"available":5,"reserved":0,"currency":"USD"}]',
    'user usr_003: the source answers /users/usr_003/balance with no field "available".',
  ],
  ['{"data":{"balance":5}}', 'user usr_003: the source answers /users/usr_003/balance with no field "available".'],
  ['{"available":5,"currency":"USD"}', 'balance of old usr_003 in USD: the source does not say what is reserved.'],
  [
    '{"available":5,"reserved":null,"currency":"USD"}',
    'balance of old usr_003 in USD: the source does not say what is reserved.',
  ],
  [
    '{"available":5,"total":8,"currency":"USD"}',
    'balance of old usr_003 in USD: the total is not available plus reserved.',
  ],
];

test('a balance that cannot be read is a problem of the plan, once', async (t) => {
  for (const [answer, problem] of BAD_BALANCES) {
    const { problems } = await readAll(t, (path) => (path === '/users/usr_003/balance' ? answer : undefined));
    assert.deepEqual(problems, [problem]);
  }
});

test('a total that equals the available amount says that nothing is reserved, and a currency may be missing', async (t) => {
  const { balances, problems } = await readAll(t, (path, url) => {
    if (path !== '/users/usr_003/balance') return undefined;
    return url.searchParams.get('currency') === 'XLM' ? 404 : '{"available":5,"total":5,"currency":"USD"}';
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(
    balances.filter(({ externalUserId }) => externalUserId === 'old usr_003').map(({ reserved }) => reserved),
    [0n],
  );
});

test('an address with a user name or a password is refused, and neither is printed', async (t) => {
  const { tool } = await openImport(t, await openApp(t));
  for (const url of [
    'https://ada:hunter2@old.example',
    'https://:hunter2@old.example',
    'https://ada:hunter2@old example',
    'ada:hunter2@old.example',
    'ftp://old.example/?key=hunter2',
    'https://old.example/#hunter2',
  ]) {
    const { code, out, err } = await tool.run(['import', '--source-url', url, '--verbose']);
    assert.equal(code, 1, url);
    assert.match(out + err, /must not have a user name or a password|is not the address of a server/);
    assert.ok(!(out + err).includes('hunter2'), out + err);
  }
});
