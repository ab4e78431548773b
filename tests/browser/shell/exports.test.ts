// The CSV export of lists: the form of the file, the formulas it guards against, its limit, its progress, and that every list has one.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { csvLine } from '../../../console/src/parts/lists/csv.ts';
import { exportRows } from '../../../console/src/parts/lists/export-rows.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { sourcesOf } from '../../tidy/sources.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

/** The cells of the lines of a file, as RFC 4180 describes it. */
const parse = (text: string): string[][] => {
  const lines: string[][] = [];
  let line: string[] = [];
  const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = CELL.exec(text); found; found = CELL.exec(text)) {
    line.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
};

test('every text comes back from the file as it was, or begins with an apostrophe where a spreadsheet would run it', () => {
  const texts = fc.array(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",; \'1.a') })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(texts, (cells) => {
      const [line, ...others] = parse(csvLine(cells));
      assert.deepEqual(others, []);
      for (const [at, cell] of cells.entries()) {
        const read = line![at]!;
        const isNumber = /^-?\d+(\.\d+)?$/.test(cell);
        assert.ok(read === cell || read === `'${cell}`);
        assert.equal(/^\s*[=+\-@]/.test(read) && !isNumber, false, JSON.stringify(read));
        if (isNumber) assert.equal(read, cell);
      }
    }),
  );
});

test('amounts keep every digit, also negative ones, and formulas of all forms are guarded', () => {
  assert.equal(csvLine(['-7.5000000', '0.0000001', 12, true, null, undefined]), '-7.5000000,0.0000001,12,true,,\r\n');
  for (const formula of ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1', '-']) {
    assert.match(parse(csvLine([formula]))[0]![0]!, /^'/, JSON.stringify(formula));
  }
  assert.equal(csvLine(['a "b", c', 'two\r\nlines']), '"a ""b"", c","two\r\nlines"\r\n');
});

type Row = { readonly id: string; readonly at: string | null };

const rowsFrom = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    at: index === 0 ? '2026-07-01T12:00:00.000Z' : null,
  }));

/** A list of so many rows, in pages. */
const exported = async (count: number, { max, stop }: { max?: number; stop?: AbortController } = {}) => {
  const all = rowsFrom(count);
  const progress: number[] = [];
  const written = exportRows<Row>({
    columns: [
      { name: 'Row', value: ({ id }) => id },
      { name: 'Time', time: ({ at }) => at },
    ],
    pauseMs: 0,
    signal: (stop ?? new AbortController()).signal,
    onProgress(rows) {
      progress.push(rows);
      stop?.abort(new Error('stopped by hand'));
    },
    async fetchPage({ cursor = '0', limit = 20 }) {
      const end = Number(cursor) + limit;
      const hasMore = end < all.length;
      return { items: all.slice(Number(cursor), end), hasMore, nextCursor: hasMore ? String(end) : null };
    },
    ...(max === undefined ? {} : { max }),
  });
  return { ...(await written), progress };
};

test('an export reads every page, says when it was cut at the limit, and ends when it is stopped', async () => {
  const whole = await exported(2_950);
  const lines = parse(whole.parts.join(''));
  assert.deepEqual(lines[0]!.slice(0, 2), ['Row', 'Time (UTC)']);
  assert.match(lines[0]![2]!, /^Time \(.+\)$/);
  assert.equal(lines[1]![1], '2026-07-01T12:00:00.000Z');
  assert.match(lines[1]![2]!, /^2026-0[67]-\d\d \d\d:\d\d:00$/);
  assert.deepEqual(
    lines.slice(1).map(([id]) => id),
    rowsFrom(2_950).map(({ id }) => id),
  );
  assert.equal(whole.isCut, false);
  assert.equal(whole.progress.at(-1), 2_950);
  for (const [count, isCut] of [
    [250, true],
    [150, false],
  ] as const) {
    const cut = await exported(count, { max: 150 });
    assert.deepEqual({ rows: cut.rows, isCut: cut.isCut }, { rows: 150, isCut });
  }
  await assert.rejects(exported(500, { stop: new AbortController() }), /stopped by hand/);
});

test('every list of the console has an export', () => {
  const lists = sourcesOf('console/src/pages/**/*.tsx').filter(({ text }) => /<DataTable\b/.test(text));
  assert.ok(lists.length > 12);
  for (const { path, text } of lists) {
    assert.equal(text.match(/<ExportButton\b/g)?.length, text.match(/<DataTable\b/g)?.length, path);
  }
});

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t, { sandbox: false });
  const made = Array.from({ length: 130 }, (_, at) =>
    fixture.app.call('POST /users', { body: { externalUserId: at === 7 ? '=HYPERLINK("x")' : `row-${at}` } }),
  );
  for (const { status, text } of await Promise.all(made)) assert.equal(status, 201, text);
  return { fixture, page: await fixture.open('/users') };
});

const savedBy = async (page: Page, start: () => Promise<void>): Promise<{ name: string; text: string }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
};

test('all users are exported, not only those on the page, by keyboard and in both themes', async () => {
  const { page } = shared();
  await page.getByText('20 users so far').waitFor();
  await page.getByRole('button', { name: 'Export Users as CSV' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export users' });
  await dialog.getByText('at most 100,000').waitFor();
  await assertGoodInBothViews(page);
  await dialog.getByLabel(/byte order mark/).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Export CSV' }).focus();
  const { name, text } = await savedBy(page, () => page.keyboard.press('Enter'));
  assert.match(name, /^users-\d{4}-\d\d-\d\d\.csv$/);
  assert.ok(text.startsWith('\u{feff}User,External ID,'));
  const lines = parse(text);
  assert.equal(lines.length, 131);
  assert.equal(lines.filter(([, external]) => external === '\'=HYPERLINK("x")').length, 1);
  await dialog.getByText('130 rows were exported.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a filtered list is exported with its filter, and an empty one says that there is nothing to export', async () => {
  const { page } = shared();
  await goTo(page, '/users?q=row-12');
  await page.getByRole('row', { name: /row-129/ }).waitFor();
  await page.getByRole('button', { name: 'Export Users as CSV' }).click();
  const { text } = await savedBy(page, () => page.getByRole('button', { name: 'Export CSV', exact: true }).click());
  assert.deepEqual(
    new Set(
      parse(text)
        .slice(1)
        .map(([, external]) => external!.slice(0, 6)),
    ),
    new Set(['row-12']),
  );
  assert.equal(parse(text).length, 12);
  await page.getByRole('button', { name: 'Close' }).click();
  await goTo(page, '/orders');
  await page.getByText('No orders yet').waitFor();
  const button = page.getByRole('button', { name: 'Export Orders as CSV' });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  assert.equal(await button.getAttribute('title'), 'The list has no rows to export.');
});
