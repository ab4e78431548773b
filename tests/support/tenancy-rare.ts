// Statements that the server sends only in rare cases: an event without an order, a reconciliation break, a secret under an
// old key. The server's own functions send them here, so that they are recorded too.

import type pg from 'pg';
import { parseAmount } from '../../server/src/books/money.ts';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { createLedgerTransactionReads } from '../../server/src/ledger/transactions/queries.ts';
import { createApiKeyReads } from '../../server/src/modules/api-keys/queries.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { createReservationReads } from '../../server/src/modules/balances/queries.ts';
import { createFindCallRows } from '../../server/src/modules/escrows/call-rows.ts';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { createLoginAttempts } from '../../server/src/modules/projects/people/login-attempts.ts';
import { createCredentialReads } from '../../server/src/modules/provider-credentials/queries.ts';
import { createBreaks } from '../../server/src/modules/reconciliation/breaks.ts';
import { createTopUpPollTimes } from '../../server/src/modules/topups/jobs.ts';
import { createTopUpReads } from '../../server/src/modules/topups/queries.ts';
import { createHintBudget, shareHintBudget } from '../../server/src/modules/webhooks/hint-budget.ts';
import { createWithdrawalReads } from '../../server/src/modules/withdrawals/queries.ts';
import { ORDER_TABLES } from '../../server/src/registry.ts';

const UNKNOWN = 'unknown-0';

export const askRarely = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const amount = parseAmount('1.00')!;
  const breaks = createBreaks(pool);
  const seen = { marketplaceId, kind: 'wallet-usdc', subject: UNKNOWN } as const;
  await breaks.see({ ...seen, expected: amount, actual: amount });
  await breaks.resolve(seen);

  const transactions = createLedgerTransactionReads(pool);
  await transactions.find(marketplaceId, UNKNOWN);
  await transactions.isExpected({ marketplaceId, address: UNKNOWN, besides: UNKNOWN });
  await createFindCallRows(pool)({ marketplaceId, operationId: UNKNOWN, escrowId: UNKNOWN });

  const wallets = createWalletReads(pool);
  await wallets.countBySeal();
  await wallets.listSealedOtherwise({ marketplaceId, prefix: UNKNOWN, afterId: '', limit: 1 });

  const attempts = createLoginAttempts(pool, marketplaceId);
  await attempts.reserve(UNKNOWN, { gapMs: 60_000, waitMaxMs: 0 });
  // The next slot is too far away.
  await attempts.reserve(UNKNOWN, { gapMs: 60_000, waitMaxMs: 0 });
  await shareHintBudget(pool, { perMinute: 1, mayAsk: createHintBudget(1), onTrouble() {} })();
  const credentials = createCredentialReads(pool);
  await credentials.countBySeal();
  await credentials.accounts();
  await credentials.find(marketplaceId, UNKNOWN);
  await credentials.ofAccount(marketplaceId, UNKNOWN);
  await credentials.ofPayment([UNKNOWN]);
  await credentials.list(marketplaceId);
  await credentials.listSealedOtherwise(marketplaceId, UNKNOWN);

  // The head of this chain names an entry that does not exist, so the chain is checked entry by entry.
  const broken = `${marketplaceId}-broken`;
  await pool.query('insert into marketplaces (marketplace_id, audit_seq, audit_hash) values ($1, 1, $2)', [
    broken,
    UNKNOWN,
  ]);
  await createAuditReads(pool).verifyChain(broken);
  await pool.query('delete from marketplaces where marketplace_id = $1', [broken]);

  await createApiKeyReads(pool).listActiveDevelopment();
  await createOrderReads(pool, ORDER_TABLES).marketplaceOf(UNKNOWN);
  await createReservationReads(pool).hasUser(marketplaceId, UNKNOWN);
  await createTopUpReads(pool).findByPayin(UNKNOWN);
  await createTopUpPollTimes(pool).pollSoon(marketplaceId, UNKNOWN);
  await createWithdrawalReads(pool).findByPayout(UNKNOWN);
};
