// The audit trail and the event stream when older rows are archived: the last page names the archives, a cursor or a range that points
// into archived time is refused with the next step, and a stream replays what is stored.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Holdfast } from '@holdfast/sdk';
import { listen } from '../stream/listener.ts';
import { codeOf, startApp } from '../support/app.ts';
import { openHistory, writeMonths } from './fixture.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03'];

/** Two of three months are archived. */
const openLists = async (t: TestContext) => {
  const history = await openHistory(t);
  const people = await writeMonths(history, MONTHS);
  const app = await startApp(t, { connection: history.connection, env: { ARCHIVE_DIR: history.folder } });
  const key = await app.key(['read'], history.marketplaceId);
  const logs = (query: string) => app.call(`GET /audit/logs?${query}`, { key });
  const { body } = await logs('limit=100&to=2025-03-01T00:00:00Z');
  const older = body.data.data.map(({ id }: { id: string }) => id);
  history.at('2025-07', 1);
  assert.deepEqual(await history.archiveAll(), ['2025-01', '2025-02']);
  return { history, ...people, app, key, logs, older };
};

test('the last page of the audit trail names the archives in which it continues, and no page before does', async (t) => {
  const { history, ada, app, key, logs } = await openLists(t);
  const first = (await logs('limit=2')).body.data;
  assert.deepEqual([first.hasMore, first.archives], [true, undefined]);
  const client = new Holdfast({ url: app.url, apiKey: key });
  const pages = [];
  for await (const page of client.audit.logs({ limit: 5 }).pages()) pages.push(page);
  assert.deepEqual(pages.at(-1)?.archives, ['2025-01', '2025-02']);
  assert.ok(pages.slice(0, -1).every(({ archives }) => archives === undefined));
  // A range of time has only the archives of the range.
  assert.deepEqual((await logs('limit=100&from=2025-02-10T00:00:00Z')).body.data.archives, ['2025-02']);
  assert.equal((await logs('limit=100&from=2025-03-01T00:00:00Z')).body.data.archives, undefined);
  const about = (await logs(`limit=100&userId=${ada}`)).body.data;
  assert.ok(about.data.length > 0);
  assert.deepEqual(about.archives, ['2025-01', '2025-02']);
  await history.archiver.restore(history.marketplaceId);
  await history.archiver.restore(history.marketplaceId);
  assert.equal((await logs('limit=100')).body.data.archives, undefined);
});

test('410 ARCHIVED names the archive of a cursor and of a range in archived time, and the command that prints it', async (t) => {
  const { logs, older } = await openLists(t);
  for (const [query, archives] of [
    ['to=2025-02-01T00:00:00Z', ['2025-01']],
    ['from=2025-02-01T00:00:00Z&to=2025-03-01T00:00:00Z', ['2025-02']],
    ['from=2025-01-10T00:00:00Z&to=2025-02-20T00:00:00Z', ['2025-01', '2025-02']],
    [`cursor=${older.at(0)}`, ['2025-01', '2025-02']],
    [`cursor=${older.at(-2)}`, ['2025-01']],
  ] as const) {
    const refused = await logs(`limit=3&${query}`);
    assert.equal(codeOf(refused), '410 ARCHIVED', query);
    assert.deepEqual(refused.body.error.details.archives, archives, query);
    assert.match(refused.body.error.message, /`holdfast archive show 2025-0[12] --table audit_entries` prints them/);
  }
  // One moment of the range is still in the database.
  const across = await logs('limit=100&from=2025-02-20T00:00:00Z&to=2025-03-06T00:00:00Z');
  assert.equal(across.status, 200);
  assert.deepEqual(across.body.data.archives, ['2025-02']);
});

test('a stream whose cursor is in an archived month replays every stored event, and the positions show what is missing', async (t) => {
  const { history, app, key } = await openLists(t);
  const stored = await app.sql('select position::int as position from events where marketplace_id = $1 order by 1', [
    history.marketplaceId,
  ]);
  assert.ok(stored.length > 0 && stored[0].position > 2);
  const listener = await listen(app, { key, query: '?since=2025-01-10T00:00:00Z' });
  const messages = await listener.take(stored.length);
  assert.deepEqual(
    messages.map(({ data }) => data.metadata.position),
    stored.map(({ position }) => position),
  );
  listener.hangUp();
});
