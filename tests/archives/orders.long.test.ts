// Archives with the rows of whole orders and payments: what leaves, what an open record keeps, that everything comes back to the last row,
// and that an altered file is found before anything is restored.

import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { proveAndMark } from '../../server/src/modules/audit/jobs.ts';
import { createMoneyReads } from '../../server/src/modules/reports/money-places.ts';
import { openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { temporaryFolder } from './fixture.ts';
import { contentOf, openLiveArchiver } from './live-fixture.ts';

/** A closed and an open order, a webhook about each, a withdrawal and a top-up that are open. */
const shared = shareInFile(async (t) => {
  const dir = await temporaryFolder(t);
  const fixture = await openWebhooks(t, { ARCHIVE_DIR: dir });
  const { app, anOrder, done, deliver } = fixture;
  const closed = await anOrder({ at: 'IN_PROGRESS' });
  await done(`POST /orders/${closed.id}/resolution/release`, { body: {} });
  const open = await anOrder({ at: 'IN_PROGRESS' });
  const withdrawal = await fixture.aWithdrawal();
  const topup = await fixture.aTopup();
  await deliver({ type: 'escrow.released', data: { order_id: closed.id }, eventId: 'closed' });
  await deliver({ type: 'escrow.funded', data: { order_id: open.id }, eventId: 'open' });
  await fixture.atRest();
  return { ...fixture, closed, open, withdrawal, topup, live: await openLiveArchiver(t, { app, dir }) };
});

const TABLES = ['postings', 'audit_entries', 'events', 'operations', 'webhook_events', 'ledger_transactions'];

test('rows of a closed order leave, and those that an open order refers to stay as they are', async () => {
  const { app, live, closed, open, storedId } = shared();
  const before = await contentOf(app);
  const of = async (orderId: string) =>
    app.sql(
      `select id, envelope from ledger_transactions where actions -> 0 ->> 'orderId' = $1
       union all select id, '' from operations where order_id = $1
       union all select id, '' from webhook_events where subject_id = $1 order by 1`,
      [orderId],
    );
  const kept = await of(open.id);
  assert.ok(kept.some(({ id }) => id === storedId('open')));
  const archive = (await live.archive('2026-01'))!;
  for (const table of TABLES) assert.ok((await live.rowsOf(archive, table)).length > 0, table);
  assert.deepEqual(await of(open.id), kept);

  const left = await of(closed.id);
  assert.ok(left.every(({ envelope }) => envelope === ''));
  const { operationId } = (
    await app.sql('select operation_id as "operationId" from orders where id = $1', [closed.id])
  )[0];
  const operations = await live.rowsOf(archive, 'operations');
  assert.ok(operations.every((row) => row.order_id === closed.id && row.id !== operationId));
  assert.deepEqual(
    // Records of the payment provider's webhooks name nothing that could be open.
    (await live.rowsOf(archive, 'webhook_events')).map(({ id }) => id).filter((id) => id.startsWith('escrow-')),
    [storedId('closed')],
  );
  const envelopes = (await live.rowsOf(archive, 'ledger_transactions')).map(({ envelope }) => envelope);
  assert.ok(envelopes.every((envelope) => envelope.length > 100));
  assert.equal((await live.rowsOf(archive, 'postings')).length, before.postings!.length);
  assert.deepEqual(await live.problems(), []);

  await live.restore();
  const after = await contentOf(app);
  for (const table of TABLES.filter((name) => name !== 'audit_entries')) assert.deepEqual(after[table], before[table]);
  // The commands of the archiver have added entries of their own.
  const known = new Set(before.audit_entries);
  assert.deepEqual(
    after.audit_entries!.filter((line) => known.has(line)),
    before.audit_entries,
  );
  assert.deepEqual(await live.problems(), []);
});

test('a timeline reads the same before and after its rows were archived, and names the archive whose files are gone', async () => {
  const { closed, open, live, done } = shared();
  const timelines = async () => [
    await done(`GET /orders/${closed.id}/timeline`),
    await done(`GET /orders/${open.id}/timeline`),
  ];
  const before = await timelines();
  assert.ok(before.every(({ entries, archives }) => entries.length > 20 && archives.length === 0));
  await live.archive('2026-01');
  assert.deepEqual(await timelines(), before);
  const folder = live.folderOf('2026-01');
  await rename(folder, `${folder}-elsewhere`);
  const [timeline] = await timelines();
  assert.deepEqual(timeline.archives, ['2026-01']);
  assert.ok(timeline.entries.length < before[0].entries.length);
  await rename(`${folder}-elsewhere`, folder);
  await live.restore();
  assert.deepEqual(await timelines(), before);
});

test('orders, withdrawals and top-ups that were open go on after their past was archived, also after a second archive', async () => {
  const { app, live, open, withdrawal, topup, done, get, atRest, deliver, assertSound } = shared();
  await live.archive('2026-01');
  await done(`POST /orders/${open.id}/resolution/release`, { body: {} });
  assert.equal((await get(open.id)).finalStatus, 'RELEASED');
  assert.equal((await done(`GET /withdrawals/${withdrawal.id}`)).status, withdrawal.status);
  assert.equal((await done(`GET /topups/${topup.id}`)).id, topup.id);
  await atRest();
  assert.deepEqual(await live.problems(), []);
  const second = (await live.archive('2026-02'))!;
  assert.ok((await live.rowsOf(second, 'operations')).every((row) => row.order_id === open.id));
  assert.ok((await live.rowsOf(second, 'ledger_transactions')).some((row) => row.actions[0].orderId === open.id));
  assert.deepEqual(await live.problems(), []);
  await assertSound();
  // The provider repeats an event whose record is archived. Nothing moves.
  const postings = async () => (await app.sql('select count(*)::int as n from postings'))[0].n;
  const count = await postings();
  await deliver({ type: 'escrow.released', data: { order_id: open.id }, eventId: 'open' });
  await deliver({ type: 'escrow.released', data: { order_id: open.id }, eventId: 'closed' });
  assert.equal(await postings(), count);
  await assertSound();
});

test('accounts of closed orders are read neither by the next proof nor by the money report', async () => {
  const { app, live, closed } = shared();
  const { marketplaceId } = app;
  const { pool } = live;
  await proveAndMark(pool, { marketplaceId, full: true });
  const money = createMoneyReads(pool);
  const report = (await money.places(marketplaceId)).currencies;
  const change = (units: number) =>
    pool.query('update accounts set balance = balance + $2 where id = $1', [`${closed.id}:escrow:USD`, units]);
  assert.equal((await change(1)).rowCount, 1);
  const { checks } = await proveAndMark(pool, { marketplaceId, full: false });
  assert.match(checks.find(({ name }) => name === 'accounts-equal-postings')!.detail, /^0 of 0 accounts with postings/);
  assert.deepEqual((await money.places(marketplaceId)).currencies, report);
  assert.equal((await proveAndMark(pool, { marketplaceId, full: true })).holds, false, 'the full proof reads them');
  await change(-1);
  assert.deepEqual(await live.problems(), []);
});

test('an altered file of any table is found, and a restore refuses it and changes nothing', async () => {
  const { app, live } = shared();
  const folder = live.folderOf('2026-02');
  const before = await contentOf(app);
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const content = await readFile(file);
    await appendFile(file, '\n');
    assert.match((await live.problems()).join(), new RegExp(`${name} was altered`));
    await assert.rejects(live.restore(), /was altered/, name);
    assert.deepEqual(await contentOf(app), before, name);
    await writeFile(file, content);
  }
  const states = (await live.archiver.reads.list(app.marketplaceId)).map(({ state }) => state);
  assert.deepEqual(states, ['REMOVED', 'REMOVED']);
  assert.deepEqual(await live.problems(), []);
});

test('the name of an archive whose rows were removed is refused, and its files stay', async () => {
  const { app, live } = shared();
  const names = await readdir(live.folder, { recursive: true });
  await app.aUser({ available: '1.00' });
  await assert.rejects(live.archive('2026-01'), /exists already/);
  assert.deepEqual(
    (await readdir(live.folder, { recursive: true })).filter((name) => !name.includes('unfinished')).toSorted(),
    names.toSorted(),
  );
  assert.deepEqual(await live.problems(), []);
});

test('a folder that has the name of a new archive is put aside, and never deleted', async () => {
  const { app, live } = shared();
  await live.restore();
  const folder = live.folderOf('2026-02');
  const manifest = await readFile(path.join(folder, 'manifest.json'));
  await live.archive('2026-02');
  assert.deepEqual(await readFile(path.join(`${folder}.replaced-1`, 'manifest.json')), manifest);
  await live.restore();
  await live.archive('2026-02');
  assert.deepEqual(await readFile(path.join(`${folder}.replaced-1`, 'manifest.json')), manifest);
  assert.ok((await readdir(path.dirname(folder))).includes('2026-02.replaced-2'));
  assert.deepEqual(await live.problems(), []);
  assert.equal((await live.archiver.reads.list(app.marketplaceId)).length, 2);
});
