// The jobs of alerts as a second server on the database of a test runs them, so that a test decides when they run.

import assert from 'node:assert/strict';
import { type Clock, systemClock } from '../../server/src/base/instant.ts';
import { createKeptProofs } from '../../server/src/books/checkpoints.ts';
import { type Env, readConfig } from '../../server/src/config/config.ts';
import { createTreasuryPaymentReads } from '../../server/src/ledger/treasury/queries.ts';
import { wireAlerts } from '../../server/src/modules/alerts/wire.ts';
import { createLog } from '../../server/src/observability/logs.ts';
import { createNotifier } from '../../server/src/postgres/notifier.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { openFixture } from '../commit/fixture.ts';
import type { TestApp } from '../support/app.ts';

/** Nothing has to last before it counts. */
export const AT_ONCE: Env = {
  ALERT_OPERATION_STUCK_S: '0',
  ALERT_PAYOUT_STUCK_H: '0',
  ALERT_DEADLINE_STUCK_S: '0',
  ALERT_APPROVAL_WAITING_H: '0',
};

type CheckerOptions = { readonly app: Pick<TestApp, 'connection'>; readonly env?: Env; readonly deadlineClock?: Clock };

export const openChecker = async (t: Hooks, { app, env = {}, deadlineClock = systemClock }: CheckerOptions) => {
  // As a second server does: without it, the first one sees new events when it looks for missed notifications, after 15 seconds.
  const notifier = createNotifier({ connection: app.connection, onTrouble() {} });
  afterwards(t, () => notifier.close());
  const { pool, committer } = await openFixture(t, {
    connection: app.connection,
    onEvents: (marketplaceIds) => notifier.notify('holdfast_events', marketplaceIds),
  });
  const read = readConfig({ ...AT_ONCE, ...env });
  assert.ok(read.ok, JSON.stringify(read));
  const troubles: string[] = [];
  const { jobs } = wireAlerts({
    config: read.config,
    pool,
    submit: committer.submit,
    clock: systemClock,
    deadlineClock,
    log: createLog({ level: 'silent' }),
    treasuryBalances: createTreasuryPaymentReads(pool).balances,
    proofs: createKeptProofs(pool).summary,
    onTrouble: (message, error) => void troubles.push(`${message}: ${error}`),
  });
  const run = async (name: string): Promise<void> => {
    await jobs.find((job) => job.name === name)!.run();
    assert.deepEqual(troubles, []);
  };
  return { pool, submit: committer.submit, check: () => run('check-alerts'), mail: () => run('mail-alerts') };
};

type AlertEvent = { readonly type: string; readonly count: number; readonly subjects: readonly string[] };

/** The alert events of a marketplace, oldest first. */
export const alertEvents = async (app: Pick<TestApp, 'sql' | 'marketplaceId'>): Promise<AlertEvent[]> => {
  const rows = await app.sql(
    `select event_type as type, envelope::jsonb -> 'payload' as payload from events
      where aggregate_type = 'System' and marketplace_id = $1 order by position`,
    [app.marketplaceId],
  );
  return rows.map(({ type, payload }) => ({ type, count: payload.count, subjects: payload.subjects }));
};

/** The open alerts of a marketplace, as kind and subject. */
export const openAlertsOf = async (app: Pick<TestApp, 'call'>): Promise<string[]> => {
  const { status, text, body } = await app.call('GET /alerts?status=OPEN&limit=100');
  assert.equal(status, 200, text);
  return body.data.data.map(({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`).sort();
};
