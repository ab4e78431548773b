// Statements that begin in archived months: the same lines and balances as before the months were archived, page by page, and a refusal
// that names the archive when its files are gone.

import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { codeOf, startApp } from '../support/app.ts';
import { openHistory, writeMonths } from './fixture.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03'];

const openStatements = async (t: TestContext) => {
  const history = await openHistory(t);
  const people = await writeMonths(history, MONTHS);
  const app = await startApp(t, { connection: history.connection, env: { ARCHIVE_DIR: history.folder } });
  const key = await app.key(['read'], history.marketplaceId);
  const read = (userId: string, query: string) => app.call(`GET /users/${userId}/statement?${query}`, { key });
  /** All lines of a range, by pages of three. */
  const pages = async (userId: string, range: string) => {
    const lines: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await read(userId, `${range}&limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
      lines.push(...body.data.lines);
      cursor = body.data.nextCursor;
    } while (cursor !== null);
    return lines;
  };
  return { history, ...people, app, read, pages };
};

const RANGES = [
  'from=2025-01-01&to=2025-12-01',
  'from=2025-01-10&to=2025-02-10',
  'from=2025-02-10&to=2025-03-10',
  'from=2025-02-21&to=2025-03-25',
  'from=2025-03-10&to=2025-05-01',
  'from=2024-06-01&to=2024-12-01',
  'from=2025-04-01&to=2025-05-01',
];

test('a statement reads the same before and after its months were archived, on both sides of the border', async (t) => {
  const { history, ada, bob, read, pages } = await openStatements(t);
  const statements = async () => {
    const found = [];
    for (const userId of [ada, bob]) {
      for (const range of RANGES) {
        const { opening, lines, closing } = (await read(userId, range)).body.data;
        found.push({ range, opening, lines, closing, paged: await pages(userId, range) });
      }
    }
    return found;
  };
  const before = await statements();
  assert.ok(before.some(({ lines }) => lines.length === 13));
  for (const now of ['2025-07', '2025-08']) {
    history.at(now, 1);
    assert.notDeepEqual(await history.archiveAll(), []);
    assert.deepEqual(await statements(), before, now);
  }
});

test('410 ARCHIVED names the archive when its files are gone, and the statement is back with them', async (t) => {
  const { history, ada, read } = await openStatements(t);
  history.at('2025-07', 1);
  assert.deepEqual(await history.archiveAll(), ['2025-01', '2025-02']);
  const folder = path.join(history.folder, history.marketplaceId, '2025-01');
  await rename(folder, `${folder}-elsewhere`);
  const refused = await read(ada, RANGES[0]!);
  assert.equal(codeOf(refused), '410 ARCHIVED');
  assert.deepEqual(refused.body.error.details.archives, ['2025-01']);
  assert.match(refused.body.error.message, /holdfast archive restore/);
  assert.equal((await read(ada, 'from=2025-03-01&to=2025-04-01')).status, 200);
  await rename(`${folder}-elsewhere`, folder);
  assert.equal((await read(ada, RANGES[0]!)).status, 200);
});
