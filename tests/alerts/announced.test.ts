// How alerts reach programs: the list, the event stream for readers that name them, and webhook endpoints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromUnits } from '../../server/src/books/money.ts';
import { createBreaks } from '../../server/src/modules/reconciliation/breaks.ts';
import { assertScope } from '../contract/report-fixture.ts';
import { listen, type Message } from '../stream/listener.ts';
import { openApp } from '../support/shared-app.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { openChecker } from './fixture.ts';

const ALLOWED = { env: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } };

type App = Awaited<ReturnType<typeof openApp>>;

const openBreaks = async (t: Parameters<typeof openApp>[0], app: App) => {
  const { pool, check } = await openChecker(t, { app });
  const breaks = createBreaks(pool);
  const id = (subject: string) => ({ marketplaceId: app.marketplaceId, kind: 'wallet-usdc', subject }) as const;
  return {
    async open(...subjects: string[]) {
      for (const subject of subjects) {
        await breaks.see({ ...id(subject), expected: fromUnits(20_000_000n), actual: fromUnits(5n) });
      }
      await check();
    },
    async close(...subjects: string[]) {
      for (const subject of subjects) await breaks.resolve(id(subject));
      await check();
    },
  };
};

/** A stream from the beginning. */
const openStream = async (t: { after(work: () => void): void }, { app, query }: { app: App; query: string }) => {
  const key = await app.key(['read']);
  const stream = await listen(app, { key, query: `?since=2026-01-01T00:00:00Z${query}` });
  t.after(() => stream.hangUp());
  const typesOf = (messages: readonly Message[]): string[] => messages.map(({ event }) => event);
  return {
    take: async (count: number) => typesOf(await stream.take(count)),
    positions: () => stream.messages.map(({ data }) => data.metadata.position),
  };
};

test('a stream without a filter is the same with and without alerts; one that names them gets them, stored and live', async (t) => {
  const app = await openApp(t, ALLOWED);
  const { open, close } = await openBreaks(t, app);
  await app.aUser();
  await open('GA');
  const plain = await openStream(t, { app, query: '' });
  const ofUsers = await openStream(t, { app, query: '&resources=User' });
  const byResource = await openStream(t, { app, query: '&resources=System' });
  const byType = await openStream(t, { app, query: '&types=system.break_closed' });
  await close('GA');
  await app.aUser();
  assert.deepEqual(await byResource.take(2), ['system.break_opened', 'system.break_closed']);
  assert.deepEqual(await byType.take(1), ['system.break_closed']);
  // The second user is after the end of the alert: an alert would have come before it.
  const users = ['user.created', 'user.ledger_linked', 'user.created', 'user.ledger_linked'];
  assert.deepEqual(await plain.take(4), users);
  assert.deepEqual(await ofUsers.take(4), users);
  assert.deepEqual(
    [...plain.positions(), ...byResource.positions()].toSorted(),
    [1, 2, 3, 4, 5, 6],
    'the table has no gap',
  );
});

test('webhook endpoints get alerts by *, by system.* and by type, and no other endpoint does', async (t) => {
  const app = await openApp(t, ALLOWED);
  const { open, close } = await openBreaks(t, app);
  const filters = [['*'], ['system.*'], ['system.break_closed'], ['order.*']];
  const receivers = await Promise.all(filters.map(() => startReceiver(t)));
  for (const [index, events] of filters.entries()) {
    const created = await app.call('POST /webhook-endpoints', { body: { url: receivers[index]!.url, events } });
    assert.equal(created.status, 201, created.text);
  }
  await open('GA');
  await close('GA');
  const [all, ofSystem, byType, ofOrders] = receivers;
  await all!.count(2);
  await ofSystem!.count(2);
  await byType!.count(1);
  const typesOf = ({ received }: (typeof receivers)[number]) => received.map(({ event }) => event.eventType);
  assert.deepEqual(typesOf(all!), ['system.break_opened', 'system.break_closed']);
  assert.deepEqual(typesOf(ofSystem!), ['system.break_opened', 'system.break_closed']);
  assert.deepEqual(typesOf(byType!), ['system.break_closed']);
  assert.deepEqual(typesOf(ofOrders!), []);
  const { aggregateType, payload } = all!.received[0]!.event;
  assert.deepEqual([aggregateType, payload.kind, payload.subjects], ['System', 'BREAK', ['wallet-usdc:GA']]);
});

test('200 lists alerts newest first, by status and kind, and each in its own marketplace', async (t) => {
  const app = await openApp(t, ALLOWED);
  const { open, close } = await openBreaks(t, app);
  await open('GA');
  await open('GB');
  await close('GA');
  const subjects = async (query: string, key?: string) => {
    const answer = await app.call(`GET /alerts${query}`, key === undefined ? {} : { key });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.data.map(({ subject }: { subject: string }) => subject);
  };
  assert.deepEqual(await subjects(''), ['wallet-usdc:GB', 'wallet-usdc:GA']);
  assert.deepEqual(await subjects('?status=OPEN'), ['wallet-usdc:GB']);
  assert.deepEqual(await subjects('?status=CLOSED&kind=BREAK'), ['wallet-usdc:GA']);
  assert.deepEqual(await subjects('?kind=BACKUP_LATE'), []);
  assert.deepEqual(await subjects('', await app.key(['read'], 'mkt_other')), []);
  const [{ id, since, openedAt, ...shown }] = (await app.call('GET /alerts?status=OPEN')).body.data.data;
  assert.match(id, /^alr_/);
  assert.ok(since <= openedAt);
  assert.deepEqual(
    { ...shown, message: shown.message.slice(0, 40) },
    {
      kind: 'BREAK',
      status: 'OPEN',
      subject: 'wallet-usdc:GB',
      message: 'The books and an outside system differ (',
      closedAt: null,
    },
  );
  const entries = await app.sql(
    `select action, actor_id from audit_entries where resource_type = 'Alert' order by seq`,
  );
  assert.deepEqual(
    entries.map(({ action, actor_id }) => `${action} ${actor_id}`),
    ['ALERT_OPENED check-alerts', 'ALERT_OPENED check-alerts', 'ALERT_CLOSED check-alerts'],
  );
});

test('the metrics count open alerts by kind', async (t) => {
  const app = await openApp(t, ALLOWED);
  const { open } = await openBreaks(t, app);
  await open('GA');
  const text = await (await fetch(`${app.url}/metrics`)).text();
  assert.match(text, /^holdfast_alerts_open\{kind="BREAK"\} [1-9]/m);
});

test('401 and 403 without the scope to read', async (t) => {
  await assertScope(await openApp(t, ALLOWED), 'GET /alerts', 'read');
});
