// Reads of all marketplaces while a worker is down: jobs get the rows of the marketplaces whose machine answers, a look-up that could have
// missed its row fails, and programs that check all marketplaces leave none out. Operators are read as always.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import { trimAnswers } from '../../server/src/commit/stored-answers.ts';
import { createMovedWallets } from '../../server/src/ledger/deposits/moved-wallets.ts';
import { createDepositReads } from '../../server/src/ledger/deposits/queries.ts';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { createLedgerTransactionReads } from '../../server/src/ledger/transactions/queries.ts';
import { createTreasuryPaymentReads } from '../../server/src/ledger/treasury/queries.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import { createOperationReads } from '../../server/src/modules/operations/queries.ts';
import { createOperatorReads } from '../../server/src/modules/operators/queries.ts';
import { createProjectReads } from '../../server/src/modules/projects/queries.ts';
import { createBreaks } from '../../server/src/modules/reconciliation/breaks.ts';
import { createPaymentAlerts } from '../../server/src/modules/reconciliation/payment-alerts.ts';
import { createBreakReads } from '../../server/src/modules/reconciliation/queries.ts';
import { createTopUpPollTimes } from '../../server/src/modules/topups/jobs.ts';
import { createTopUpReads } from '../../server/src/modules/topups/queries.ts';
import { createEscrowReads } from '../../server/src/modules/webhooks/queries.ts';
import { trimWebhookEvents } from '../../server/src/modules/webhooks/trim-events.ts';
import { createWithdrawalPollTimes } from '../../server/src/modules/withdrawals/jobs.ts';
import { createWithdrawalReads } from '../../server/src/modules/withdrawals/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { trimEvents } from '../../server/src/stream/event-queries.ts';
import type { Node, Nodes } from '../../tools/distributed/nodes.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { distributeAll, MARKETPLACES, openFilled, openNodes, type Place } from './fixture.ts';

const NOW = '2026-11-17T00:00:00.000000Z';

/** What the jobs read, each over all marketplaces. */
const jobReads = (pool: pg.Pool): Readonly<Record<string, () => Promise<unknown>>> => {
  const breaks = createBreaks(pool);
  const withdrawals = createWithdrawalReads(pool);
  const transactions = createLedgerTransactionReads(pool);
  const treasury = createTreasuryPaymentReads(pool);
  return {
    'running operations': () => createOperationReads(pool).listRunning(5),
    'due operations': () => createOperationReads(pool).listDue(5),
    'due top-ups': () => createTopUpPollTimes(pool).claimDue(5),
    'ended top-ups': () => createTopUpPollTimes(pool).claimWatched({ limit: 5, watchMs: 1_000 }),
    'top-ups paid late': () => createTopUpReads(pool).listPaidLate(5),
    'due withdrawals': () => createWithdrawalPollTimes(pool).claimDue(5),
    'committed withdrawals': () => withdrawals.listCommitted(5),
    'expired withdrawals': () => withdrawals.listExpired(1_000, 5),
    'open transactions': () => transactions.listOpen(5),
    'rejected transactions': () => transactions.listRejected(5),
    treasuries: () => treasury.marketplaces(),
    'waiting wallets': () => treasury.waitingWallets({ limit: 5, day: '2026-11-17', max: 5, isFull: false }),
    'followed wallets': () => createDepositReads(pool).followed(null, 5),
    'moved wallets': () => createMovedWallets(pool).list(5),
    platforms: () => createWalletReads(pool).platforms(),
    'open breaks of a kind': () => breaks.listOpenOf('deposit', 5),
    'open breaks': () => breaks.listOpen(),
    'decided alerts': () => breaks.resolveAlerts(),
    'accepted breaks': () => breaks.resolveAccepted(),
    contracts: () => createBreakReads(pool).contracts(null, 5),
    'payment alerts': () => createPaymentAlerts(pool)(),
    'kept events': () => createEscrowReads(pool).listKept(5, NOW),
    'open escrows': () => createEscrowReads(pool).listOpen(null, 5),
    'old webhooks': () => trimWebhookEvents(pool, { olderThan: NOW, batch: 5 }),
    'old events': () => trimEvents(pool, { olderThan: '2020-01-01T00:00:00Z', batch: 5 }),
    'float in transit': () => createFloatReads(pool).listInTransit(5),
    'projects left half-way': () => createProjectReads(pool).listLeft(5),
    'expired answers': () => trimAnswers(pool),
  };
};

/** What a sign-in and the page of operators read. The marketplace of operators is on the coordinator. */
const operatorReads = (pool: pg.Pool): Readonly<Record<string, () => Promise<unknown>>> => {
  const operators = createOperatorReads(pool);
  return {
    'an operator': () => operators.find(DEFAULT_MARKETPLACE, 'unknown'),
    operators: () => operators.list({ marketplaceId: DEFAULT_MARKETPLACE, limit: 5, cursor: null }),
  };
};

const HOSTS = `select m.id, n.nodename as host from unnest($1::text[]) m (id)
  join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('marketplaces', m.id)
  join pg_dist_node n on n.groupid = p.groupid`;

/** The marketplaces that are not on this worker, in the order of their names. */
const besides = async ({ pool }: Place, worker: Node): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string; host: string }>(HOSTS, [MARKETPLACES]);
  return rows
    .filter(({ host }) => host !== worker.connection.host)
    .map(({ id }) => id)
    .sort();
};

const openServersPool = (t: TestContext, { connection }: Place): pg.Pool => {
  const pool = openPool(connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  return pool;
};

const openFilledAndDistributed = async (t: TestContext, nodes: Nodes): Promise<Place> => {
  const place = await openFilled(t, nodes);
  await distributeAll(place);
  return place;
};

test('with either worker down, operators are read, and every read of a job gives the rows of the other marketplaces', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilledAndDistributed(t, nodes);
  const pool = openServersPool(t, place);
  const audit = createAuditReads(pool);
  for (const worker of nodes.workers) {
    const others = await besides(place, worker);
    assert.ok(others.length > 0 && others.length < MARKETPLACES.length);
    await worker.kill();
    try {
      for (const [what, read] of Object.entries({ ...operatorReads(pool), ...jobReads(pool) }))
        await assert.doesNotReject(read, `${what} with ${worker.name} down`);
      assert.deepEqual(await audit.answeringMarketplaces(), others);
      await assert.rejects(audit.marketplaces(), { code: '08006' });
      await assert.rejects(createTopUpReads(pool).findByPayin('unknown'), { code: '08006' });
    } finally {
      await worker.start();
    }
    await until(async () => (await audit.answeringMarketplaces()).length === MARKETPLACES.length, {
      what: 'all marketplaces are read again',
      deadlineMs: 30_000,
    });
    assert.equal(await createTopUpReads(pool).findByPayin('unknown'), null);
  }
});
