// Compares a withdrawal with the outside systems before its money is given back. A database that is older than they are, such as a
// promoted copy that had lagged behind, does not know that the withdrawal was paid.

import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Adoption } from '../../ledger/adoption/adoption.ts';
import { compareWallet } from '../../ledger/adoption/compare-wallet.ts';
import type { Wallet } from '../../ledger/keys/wallet.ts';
import type { LedgerNetwork, PaymentAccounts } from '../../providers/ports.ts';
import type { UnclearPayoutAlert } from '../reconciliation/payment-alerts.ts';
import { applyPayout } from './apply-payout.ts';
import { isAmountCertain, timedOut, updateOf } from './payout-update.ts';
import type { Withdrawal } from './withdrawal.ts';

type Options = {
  readonly submit: Submit;
  readonly accounts: Pick<PaymentAccounts, 'of'>;
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly adoption: Pick<Adoption, 'isKnown' | 'adopt'>;
  findWallet(marketplaceId: string, walletId: string): Promise<Wallet | null>;
  readonly alert: UnclearPayoutAlert;
  /** Where users complete the actions that the provider requires. */
  readonly actionUrl: string | null;
};

/** Afterwards the row says what the outside systems know of the withdrawal. Throws PROVIDER_TIMEOUT when that is not certain. */
export type CatchUp = (context: Context, withdrawal: Withdrawal) => Promise<void>;

const throughProvider = ({ submit, accounts, alert, actionUrl }: Options): CatchUp => {
  return async (context, withdrawal) => {
    const { id: withdrawalId, credentialsId } = withdrawal;
    const account = await accounts.of({ marketplaceId: context.marketplaceId, credentialsId });
    // Only the expiry asks the provider here, and no caller waits for it.
    const payment = account?.withPriority('background');
    if (!payment) throw timedOut(withdrawal, 'No payment provider is set.');
    const found = await payment.findPayoutByCode(withdrawalId);
    if (found.kind !== 'yes') throw timedOut(withdrawal, found.reason);
    const { value: payout } = found;
    if (payout === null) return;
    const isCertain = await isAmountCertain({ payment, withdrawal }, payout);
    const input = { withdrawalId, update: updateOf(payout, { actionUrl, isAmountCertain: isCertain }) };
    const applied = await runCommand(submit, { command: applyPayout, input, context });
    const of = { marketplaceId: context.marketplaceId, withdrawalId };
    if (applied.outcome === 'mismatch') {
      const { reason = '' } = applied;
      await alert.see({ ...of, expected: withdrawal.amount, actual: payout.amount, reason });
      throw timedOut(withdrawal, reason);
    }
    // The alert about another amount that was paid stays.
    if (applied.withdrawal.executed === null) await alert.resolve(of);
  };
};

const overLedger = (options: Options): CatchUp => {
  return async ({ marketplaceId }, withdrawal) => {
    const wallet = await options.findWallet(marketplaceId, withdrawal.walletId ?? '');
    if (!wallet) return;
    const compared = await compareWallet(options, { marketplaceId, source: wallet.address });
    if (compared.kind !== 'yes') throw timedOut(withdrawal, compared.reason);
  };
};

export const createCatchUp = (options: Options): CatchUp => {
  const withProvider = throughProvider(options);
  const withLedger = overLedger(options);
  return (context, withdrawal) =>
    withdrawal.address === null ? withProvider(context, withdrawal) : withLedger(context, withdrawal);
};
