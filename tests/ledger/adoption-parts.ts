// The adoption of a process that has no sender of transactions, because its test signs with keys of its own.

import type pg from 'pg';
import type { Submit } from '../../server/src/commit/command.ts';
import { createAdoption } from '../../server/src/ledger/adoption/adoption.ts';
import { createAdoptionReads } from '../../server/src/ledger/adoption/queries.ts';
import type { Deposits } from '../../server/src/ledger/deposits/deposits.ts';
import { createHoldReads } from '../../server/src/ledger/holds/queries.ts';
import { createUnexplainedPayments } from '../../server/src/ledger/holds/unexplained.ts';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { createOutcomeReader } from '../../server/src/ledger/transactions/outcome.ts';
import { createLedgerTransactionReads } from '../../server/src/ledger/transactions/queries.ts';
import { createSettling } from '../../server/src/ledger/transactions/settle.ts';
import { createSettleTransaction } from '../../server/src/ledger/transactions/settle-transaction.ts';
import type { LedgerAsset, LedgerNetwork } from '../../server/src/providers/ports.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';

type Options = {
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly network: LedgerNetwork;
  readonly usdc: LedgerAsset;
  readonly deposits: Deposits;
  onTrouble(message: string): void;
};

/** As in a server. */
export const openAdoption = ({ pool, submit, network: ledger, usdc, deposits, onTrouble }: Options) => {
  const reads = createAdoptionReads(pool);
  const wallets = createWalletReads(pool);
  const holds = createHoldReads(pool);
  const transactions = createLedgerTransactionReads(pool);
  const unexplained = createUnexplainedPayments({ submit, wallets, holds, onUnexplained: async () => {} });
  const readOutcome = createOutcomeReader({ ledger, usdc, isNumberUsed: reads.isNumberUsed });
  const settle = createSettling(createSettleTransaction(ACTION_OWNERS), {
    submit,
    transactions,
    async applyDeposits({ marketplaceId, address }) {
      const wallet = await wallets.findByAddress(marketplaceId, address);
      return wallet === null || (await deposits.pollToSettle({ marketplaceId, walletId: wallet.id })).kind === 'yes';
    },
    adopt: (place) => adoption.adopt(place),
  });
  const common = { submit, ledger, reads, transactions, readOutcome, settle, unexplained };
  const adoption = createAdoption({ ...common, usdc, usdcCurrency: 'USD', onTrouble });
  return adoption;
};
