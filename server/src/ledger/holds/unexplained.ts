// What happens with payments of the ledger that nothing in the books explains: their wallet is held, a break shows them, and a release
// of the wallet accepts them.

import { runCommand, type Submit } from '../../commit/command.ts';
import type { UnexplainedPayments, UnexplainedTransaction } from '../adoption/adoption.ts';
import type { WalletReads } from '../keys/wallet-queries.ts';
import type { OpenTransaction } from '../transactions/queries.ts';
import { holdPayments } from './payment-hold.ts';
import type { HoldReads } from './queries.ts';

export type PlacedUnexplained = OpenTransaction & UnexplainedTransaction;

type Options = {
  readonly submit: Submit;
  readonly wallets: Pick<WalletReads, 'findByAddress'>;
  readonly holds: Pick<HoldReads, 'find'>;
  /** Shows a transaction to the operator. */
  onUnexplained(seen: PlacedUnexplained): Promise<void>;
};

const REASON =
  'The ledger has payments of this wallet that nothing in the books explains. Compare them with your records, then release the wallet.';

export const createUnexplainedPayments = (options: Options): UnexplainedPayments => {
  const { submit, wallets, holds } = options;
  return {
    async decisionsOf({ marketplaceId, source }) {
      const wallet = await wallets.findByAddress(marketplaceId, source);
      const hold = wallet && (await holds.find(marketplaceId, wallet.id));
      const shown = hold?.held ? hold.transactions.map(({ hash }) => hash) : [];
      return { shown: new Set(shown), accepted: new Set(hold?.accepted) };
    },
    async report(place, transactions) {
      const { marketplaceId, source } = place;
      const wallet = await wallets.findByAddress(marketplaceId, source);
      if (!wallet) return;
      const context = {
        marketplaceId,
        actor: { type: 'system', id: 'adoption' },
        requestId: `ledger-${transactions[0]?.hash}`,
      } as const;
      const input = { id: wallet.id, reason: REASON, transactions };
      const { accepted } = await runCommand(submit, { command: holdPayments, input, context });
      const open = transactions.filter(({ hash }) => !accepted.includes(hash));
      for (const transaction of open) await options.onUnexplained({ ...place, ...transaction });
    },
  };
};
