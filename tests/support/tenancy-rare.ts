// Statements that the server sends only in rare cases: an event without an order, a reconciliation break, a secret under an
// old key. The server's own functions send them here, so that they are recorded too.

import type pg from 'pg';
import { parseAmount } from '../../server/src/books/money.ts';
import { createAdoptionReads } from '../../server/src/ledger/adoption/queries.ts';
import { createHoldReads } from '../../server/src/ledger/holds/queries.ts';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { createLedgerTransactionReads } from '../../server/src/ledger/transactions/queries.ts';
import { createTreasuryPaymentReads } from '../../server/src/ledger/treasury/queries.ts';
import { findLastBackup, recordBackup } from '../../server/src/modules/alerts/backup-times.ts';
import { createAlertReads } from '../../server/src/modules/alerts/queries.ts';
import { trimAlerts } from '../../server/src/modules/alerts/trim-alerts.ts';
import { createApiKeyReads } from '../../server/src/modules/api-keys/queries.ts';
import { createApprovalReads, trimApprovals } from '../../server/src/modules/approvals/queries.ts';
import { createArchiveReads } from '../../server/src/modules/archives/queries.ts';
import { checkStretches, noteStretches } from '../../server/src/modules/audit/action-stretches.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { createReservationReads } from '../../server/src/modules/balances/queries.ts';
import { createFindCallRows } from '../../server/src/modules/escrows/call-rows.ts';
import { createNoteReads } from '../../server/src/modules/notes/queries.ts';
import { createSessionReads, trimSessions } from '../../server/src/modules/operator-sessions/queries.ts';
import { createOperatorReads } from '../../server/src/modules/operators/queries.ts';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { createLoginAttempts } from '../../server/src/modules/passwords/login-attempts.ts';
import { createCredentialReads } from '../../server/src/modules/provider-credentials/queries.ts';
import {
  createBreaks,
  lostPayouts,
  uncreditedDeposits,
  unexplainedPayments,
} from '../../server/src/modules/reconciliation/breaks.ts';
import { createUnclearPayoutAlert } from '../../server/src/modules/reconciliation/payment-alerts.ts';
import { createBreakReads } from '../../server/src/modules/reconciliation/queries.ts';
import { checkActivity } from '../../server/src/modules/reports/activity-check.ts';
import { keepActivitySums } from '../../server/src/modules/reports/activity-sums.ts';
import { archivedFigures } from '../../server/src/modules/reports/archived-figures.ts';
import { checkFees } from '../../server/src/modules/reports/fee-check.ts';
import { keepFeeSums } from '../../server/src/modules/reports/fee-sums.ts';
import { createMoneyReads } from '../../server/src/modules/reports/money-places.ts';
import { createTopUpPollTimes } from '../../server/src/modules/topups/jobs.ts';
import { createTopUpReads } from '../../server/src/modules/topups/queries.ts';
import { createPendingReads } from '../../server/src/modules/webhook-deliveries/pending-queries.ts';
import { createDeliveryReads } from '../../server/src/modules/webhook-deliveries/queries.ts';
import { openLocks } from '../../server/src/modules/webhook-deliveries/send/locks.ts';
import { trimDeliveries } from '../../server/src/modules/webhook-deliveries/trim-deliveries.ts';
import { createEndpointReads } from '../../server/src/modules/webhook-endpoints/queries.ts';
import { createHintBudget, shareHintBudget } from '../../server/src/modules/webhooks/hint-budget.ts';
import { createEscrowReads } from '../../server/src/modules/webhooks/queries.ts';
import { trimWebhookEvents } from '../../server/src/modules/webhooks/trim-events.ts';
import { createWithdrawalReads } from '../../server/src/modules/withdrawals/queries.ts';
import { isDistributed } from '../../server/src/postgres/distributed.ts';
import { leadAlone } from '../../server/src/postgres/leader.ts';
import { ORDER_TABLES } from '../../server/src/registry.ts';
import { askClosings } from './tenancy-closings.ts';

const UNKNOWN = 'unknown-0';

const askTransactions = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const transactions = createLedgerTransactionReads(pool);
  await transactions.find(marketplaceId, UNKNOWN);
  await transactions.highestBump(marketplaceId, UNKNOWN);
  await transactions.rejectedOf({ marketplaceId, source: UNKNOWN });
  await transactions.expiredWith({ marketplaceId, source: UNKNOWN }, '1');
  // The network was never expensive in this life.
  await pool.query(
    `insert into ledger_bumps (marketplace_id, id, version, transaction_id, envelope, bid, created_at)
     values ($1, $2, 1, $2, '', 1, now())`,
    [marketplaceId, UNKNOWN],
  );
  await transactions.isExpected({ marketplaceId, address: UNKNOWN, besides: UNKNOWN });
};

const askCredentials = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const credentials = createCredentialReads(pool);
  await credentials.countBySeal();
  await credentials.accounts();
  await credentials.find(marketplaceId, UNKNOWN);
  await credentials.ofAccount(marketplaceId, UNKNOWN);
  await credentials.ofPayment([UNKNOWN]);
  await credentials.list(marketplaceId);
  await credentials.listSealedOtherwise(marketplaceId, UNKNOWN);
};

const askBreaks = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const amount = parseAmount('1.00')!;
  const breaks = createBreaks(pool);
  const seen = { marketplaceId, kind: 'wallet-usdc', subject: UNKNOWN } as const;
  await breaks.see({ ...seen, expected: amount, actual: amount });
  await breaks.resolve(seen);
  await createBreakReads(pool).surpluses({ marketplaceId, limit: 1, cursor: null });
  const uncredited = uncreditedDeposits(breaks);
  await uncredited.see({ marketplaceId, id: UNKNOWN, amount, reason: UNKNOWN });
  await uncredited.resolve({ marketplaceId, id: UNKNOWN });
  const unexplained = unexplainedPayments(breaks);
  const payments = [{ to: UNKNOWN, asset: 'USDC', units: '1' } as const];
  await unexplained.see({ marketplaceId, source: UNKNOWN, hash: UNKNOWN, at: UNKNOWN, payments });
  await unexplained.accept({ marketplaceId, hash: UNKNOWN, payments: 1 });
  const lost = lostPayouts(breaks);
  await lost.see({ marketplaceId, payoutId: UNKNOWN, amount, reason: UNKNOWN });
  await lost.count();
  await lost.acceptAll();
  const unclear = createUnclearPayoutAlert(pool);
  const of = { marketplaceId, withdrawalId: UNKNOWN };
  await unclear.see({ ...of, expected: amount, actual: amount, reason: UNKNOWN });
  await unclear.resolve(of);
};

const askAdoption = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const adoption = createAdoptionReads(pool);
  const payment = {
    marketplaceId,
    to: UNKNOWN,
    asset: 'USDC',
    units: 1n,
    at: '2026-01-01T00:00:00Z',
    taken: [],
  } as const;
  await adoption.known(marketplaceId, [UNKNOWN]);
  await adoption.wallets(marketplaceId, [UNKNOWN]);
  await adoption.isOfUser(marketplaceId, UNKNOWN);
  await adoption.treasuryPayment(payment);
  await adoption.withdrawal({ from: UNKNOWN, memo: null }, payment);
  await adoption.escrowOfContract(marketplaceId, UNKNOWN);
  await adoption.undeployedEscrow(marketplaceId, UNKNOWN);
  await adoption.orders(marketplaceId, [UNKNOWN]);
};

/** No month is closed in this life. The rows say that nothing has left the tables. */
const askArchives = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const archives = createArchiveReads(pool);
  await archives.list(marketplaceId);
  await archives.chainBase(marketplaceId);
  await archives.firstEntryAt(marketplaceId);
  await archives.checkpointSeq(marketplaceId);
  await archives.accountBases(marketplaceId, [UNKNOWN]);
  await archives.accountEnds(marketplaceId, UNKNOWN);
  await pool.query(
    `insert into archives (marketplace_id, id, version, state, ends_at, first_seq, last_seq, hash_before, hash_after, manifest_hash,
       created_at, updated_at) values ($1, '2020-01', 1, 'RESTORED', '2020-02-01', 1, 1, '', '', '', now(), now())`,
    [marketplaceId],
  );
  await pool.query('insert into archived_chains values ($1, 0, $2)', [marketplaceId, '']);
  await pool.query(
    'insert into archived_accounts select marketplace_id, id, 0, 0 from accounts where marketplace_id = $1 limit 1',
    [marketplaceId],
  );
  // Figures of archived postings are looked for only where rows have left the tables.
  const change = 'update archives set state = $2 where marketplace_id = $1';
  await pool.query(change, [marketplaceId, 'REMOVED']);
  await checkActivity(pool, { marketplaceId, archived: archivedFigures(UNKNOWN) });
  await pool.query(change, [marketplaceId, 'RESTORED']);
};

/** No alert is opened in this life. */
const askAlerts = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  await pool.query(
    `insert into alerts (marketplace_id, id, version, kind, subject, message, since, opened_at, closed_at, opened_mail, closed_mail)
     values ($1, $2, 1, 'BREAK', $2, $2, now(), now(), now(), 'NONE', 'NONE')`,
    [marketplaceId, UNKNOWN],
  );
  await pool.query('insert into backup_times (marketplace_id, taken_at) values ($1, now())', [marketplaceId]);
  await createAlertReads(pool).listMailDue(1);
  await findLastBackup(pool);
  await recordBackup(pool as unknown as pg.Client, '2026-11-15T09:30:00Z');
};

const askOperators = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const operators = createOperatorReads(pool);
  await operators.countBySeal();
  await operators.listSealedOtherwise(marketplaceId, UNKNOWN);
  await operators.find(marketplaceId, UNKNOWN);
  await operators.stateOf(marketplaceId, UNKNOWN);
  await operators.findClaim(UNKNOWN);
  await operators.hasAny();
  await operators.passkeys(marketplaceId, UNKNOWN);
  await operators.names(marketplaceId, [UNKNOWN]);
  await createApiKeyReads(pool).names(marketplaceId, [UNKNOWN]);
  const sessions = createSessionReads(pool);
  const now = '2026-11-15T09:30:00Z';
  await sessions.findChecked(marketplaceId, UNKNOWN);
  await sessions.listOpen({ marketplaceId, operatorId: UNKNOWN, now, limit: 1, cursor: null });
  await sessions.saveUses([{ marketplaceId, keyId: UNKNOWN, usedAt: now }]);
  await createLoginAttempts(pool, marketplaceId).useOnce(UNKNOWN, 1);
};

const askWebhooks = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const trimmed = { olderThan: '2020-01-01T00:00:00Z', batch: 1 };
  await trimWebhookEvents(pool, trimmed);
  await trimDeliveries(pool, trimmed);
  await trimAlerts(pool, trimmed);
  await trimApprovals(pool, trimmed);
  await trimSessions(pool, trimmed);
  const approvals = createApprovalReads(pool);
  await approvals.listToResume(1);
  await approvals.listWaiting({ before: trimmed.olderThan, limit: 1 });
  await approvals.figures();
  await createNoteReads(pool).hasBreak(marketplaceId, `deposit:${UNKNOWN}`);
  const client = await pool.connect();
  await (await openLocks(client as unknown as pg.Client, { silentMaxMs: 30_000 })).give(0);
  client.release(true);
  const endpoints = createEndpointReads(pool);
  await endpoints.countBySeal();
  await endpoints.summary();
  await createDeliveryReads(pool).countPending();
  const deliveries = createPendingReads(pool);
  // Read when an endpoint that failed answers again, and by the round of every 15 seconds.
  await deliveries.waiting({ marketplaceId, endpointId: UNKNOWN, limit: 1 });
  await deliveries.due({ marketplaceId, endpointIds: [UNKNOWN], dueBy: '2026-11-15T09:30:00Z', limit: 1 });
  await endpoints.listSealedOtherwise(marketplaceId, UNKNOWN);
  await askAlerts(pool, marketplaceId);
  await askOperators(pool, marketplaceId);
};

const askAboutTopUps = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  await createTopUpReads(pool).findByPayin(UNKNOWN);
  await createTopUpReads(pool).listPaidLate(1);
  await createTopUpPollTimes(pool).pollSoon(marketplaceId, UNKNOWN);
  await createTopUpPollTimes(pool).stopWatching(marketplaceId, UNKNOWN);
};

/** What a proof keeps for quick reads, and what the full proof compares it with. */
const askNotes = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  await keepActivitySums(pool, { marketplaceId });
  await checkActivity(pool, { marketplaceId });
  await keepFeeSums(pool, { marketplaceId });
  await checkFees(pool, marketplaceId);
  await noteStretches(pool, marketplaceId);
  await createAuditReads(pool).list({ marketplaceId, action: 'BALANCE_CREDITED', limit: 1, cursor: null });
  await checkStretches(pool, marketplaceId);
};

export const askRarely = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  await askBreaks(pool, marketplaceId);
  await askWebhooks(pool, marketplaceId);
  const lead = async (): Promise<void> => {};
  await leadAlone({ connection: pool.options, lock: 1, lead, onTrouble() {} }).stop();

  await askTransactions(pool, marketplaceId);
  await createFindCallRows(pool)({ marketplaceId, operationId: UNKNOWN, escrowId: UNKNOWN });

  await askAdoption(pool, marketplaceId);
  const holds = createHoldReads(pool);
  await holds.find(marketplaceId, UNKNOWN);
  await holds.wallets(1);
  await holds.wallet(UNKNOWN);
  await holds.notCompared('ledger');
  await holds.marketplaces();
  await pool.query(
    `insert into payment_holds (marketplace_id, id, version, held, reason, transactions, accepted, since, updated_at)
     values ($1, $2, 1, false, '', '[]', '[]', now(), now())`,
    [marketplaceId, UNKNOWN],
  );

  // No sync and no settlement has gained anything in this life.
  for (const gains of ['sync_gains', 'settlement_gains']) {
    await pool.query(
      `insert into ${gains} (marketplace_id, id, version, amount, compared_to, created_at, updated_at)
       values ($1, $2, 1, 0, '0', now(), now())`,
      [marketplaceId, UNKNOWN],
    );
  }

  // The key-encryption key was never rotated in this life.
  await pool.query(
    `insert into wallet_keys (marketplace_id, id, version, sealing_key_id, sealing_probe, created_at, updated_at)
     values ('mkt_default', 'current', 1, '1', '', now(), now()) on conflict do nothing`,
  );

  const wallets = createWalletReads(pool);
  await wallets.countBySeal();
  await wallets.listSealedOtherwise({ marketplaceId, prefix: UNKNOWN, afterId: '', limit: 1 });

  const treasury = createTreasuryPaymentReads(pool);
  await treasury.placesTaken('2026-11-16');
  await treasury.countWaiting();
  await treasury.networkFees();

  const attempts = createLoginAttempts(pool, marketplaceId);
  await attempts.reserve(UNKNOWN, { gapMs: 60_000, waitMaxMs: 0 });
  // The next slot is too far away.
  await attempts.reserve(UNKNOWN, { gapMs: 60_000, waitMaxMs: 0 });
  await shareHintBudget(pool, { perMinute: 1, mayAsk: createHintBudget(1), onTrouble() {} })();
  await askCredentials(pool, marketplaceId);
  await askArchives(pool, marketplaceId);
  await askClosings(pool, marketplaceId);

  // The head of this chain names an entry that does not exist, so the chain is checked entry by entry.
  const broken = `${marketplaceId}-broken`;
  await pool.query('insert into marketplaces (marketplace_id, audit_seq, audit_hash) values ($1, 1, $2)', [
    broken,
    UNKNOWN,
  ]);
  await createAuditReads(pool).verifyChain(broken);
  // Without a checkpoint the report adds up the accounts.
  await createMoneyReads(pool).places(broken);
  // A lane may have asked before the scenario began.
  await isDistributed(pool);
  await askNotes(pool, marketplaceId);
  await pool.query('delete from marketplaces where marketplace_id = $1', [broken]);

  await createAuditReads(pool).marketplaces();
  await createApiKeyReads(pool).listActiveDevelopment();
  await createOrderReads(pool, ORDER_TABLES).marketplaceOf(UNKNOWN);
  await createEscrowReads(pool).isHalfDone(marketplaceId, UNKNOWN);
  await createReservationReads(pool).hasUser(marketplaceId, UNKNOWN);
  await askAboutTopUps(pool, marketplaceId);
  await createWithdrawalReads(pool).findByPayout(UNKNOWN);
};
