// What the server asks its database only when something is odd: an event without an order of its own, a break, a secret
// under an old key. Asked here by the server's own functions, so that these statements are heard too.

import type pg from 'pg';
import { parseAmount } from '../../server/src/books/money.ts';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { createLedgerTransactionReads } from '../../server/src/ledger/transactions/queries.ts';
import { createApiKeyReads } from '../../server/src/modules/api-keys/queries.ts';
import { createReservationReads } from '../../server/src/modules/balances/queries.ts';
import { createFindCallRows } from '../../server/src/modules/escrows/queries.ts';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { createBreaks } from '../../server/src/modules/reconciliation/breaks.ts';
import { createTopUpPollTimes } from '../../server/src/modules/topups/jobs.ts';
import { createTopUpReads } from '../../server/src/modules/topups/queries.ts';
import { createWithdrawalReads } from '../../server/src/modules/withdrawals/queries.ts';
import { ORDER_TABLES } from '../../server/src/registry.ts';

const NOBODY = 'nobody-0';

export const askRarely = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  const amount = parseAmount('1.00')!;
  const breaks = createBreaks(pool);
  const seen = { marketplaceId, kind: 'wallet-usdc', subject: NOBODY } as const;
  await breaks.see({ ...seen, expected: amount, actual: amount });
  await breaks.resolve(seen);

  const transactions = createLedgerTransactionReads(pool);
  await transactions.find(marketplaceId, NOBODY);
  await transactions.isExpected({ marketplaceId, address: NOBODY, besides: NOBODY });
  await createFindCallRows(pool)({ marketplaceId, operationId: NOBODY, escrowId: NOBODY });

  const wallets = createWalletReads(pool);
  await wallets.countBySeal();
  await wallets.listSealedOtherwise({ marketplaceId, prefix: NOBODY, afterId: '', limit: 1 });

  await createApiKeyReads(pool).listActiveDevelopment();
  await createOrderReads(pool, ORDER_TABLES).marketplaceOf(NOBODY);
  await createReservationReads(pool).hasUser(marketplaceId, NOBODY);
  await createTopUpReads(pool).findByPayin(NOBODY);
  await createTopUpPollTimes(pool).pollSoon(marketplaceId, NOBODY);
  await createWithdrawalReads(pool).findByPayout(NOBODY);
};
