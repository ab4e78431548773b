// Previews of withdrawals: the commands of a request in a row. The payment provider is not called and its answers are assumed; a payment
// over the ledger is assumed to be included in full.

import { yes } from '../../base/answer.ts';
import { NEW_TRANSACTION } from '../../base/placeholders.ts';
import { walletHolding } from '../../books/accounts.ts';
import { ZERO } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import type { Preview } from '../../commit/preview/preview.ts';
import type { Wallet } from '../../ledger/keys/wallet.ts';
import { assumePayments } from '../../providers/payment/assumed-payment.ts';
import type { PaymentAccounts } from '../../providers/ports.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';
import { withdrawalPaymentOwner } from './ledger-payments.ts';
import { timedOut } from './payout-update.ts';
import { createProviderPayouts, type WhyHeld } from './provider-payout.ts';
import { restOf, type Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { createDestinations, type DestinationOptions, type Destinations } from './withdrawal-request.ts';

type Parts = {
  readonly accounts: Pick<PaymentAccounts, 'of'>;
  readonly actionUrl: string | null;
  readonly whyHeld: WhyHeld;
  findWallet(marketplaceId: string, walletId: string): Promise<Wallet | null>;
};

type Paid = { readonly withdrawalId: string; readonly address: string };

/** Books the payment as its settlement does. */
const bookPayment = command<Paid, Withdrawal>({
  name: 'preview-withdrawal-payment',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext({ withdrawalId, address }, work) {
    const { rows, accounts } = withdrawalNeedsNext(work, withdrawalId);
    const { currency } = work.get('withdrawals', withdrawalId);
    return { rows, accounts: [...accounts, walletHolding(address, currency)] };
  },
  decide({ withdrawalId, address }, work) {
    const amount = restOf(work.get('withdrawals', withdrawalId));
    withdrawalPaymentOwner.book(work, { withdrawalId, address, amount, transactionId: NEW_TRANSACTION });
    return work.get('withdrawals', withdrawalId);
  },
});

type LedgerPayment = { readonly withdrawal: Withdrawal; readonly address: string };

const payOverLedger = async (preview: Preview, { withdrawal, address }: LedgerPayment): Promise<Withdrawal> => {
  const { id: withdrawalId, currency } = withdrawal;
  preview.call({ system: 'ledger-network', operation: 'pay' });
  // The treasury funds the wallet first.
  await preview.assumeHeld(walletHolding(address, currency), restOf(withdrawal));
  return preview.run({ command: bookPayment, input: { withdrawalId, address } });
};

/** The calls that a committed withdrawal leads to, after the answer. */
export const callsAfterCommit = ({ status, address }: Withdrawal) => {
  if (status !== 'WITHDRAWAL_COMMITTED') return [];
  if (address !== null) return [{ system: 'ledger-network', operation: 'pay' } as const];
  return (['create-payout', 'commit-payout'] as const).map(
    (operation) => ({ system: 'payment-provider', operation }) as const,
  );
};

/** The destination is not checked outside. */
export const assumeDestinations = (options: DestinationOptions): Destinations =>
  createDestinations({
    ...options,
    checkReceiver: async () => yes(null),
    accounts: {
      async current(marketplaceId) {
        const isSet = (await options.accounts.current(marketplaceId)) !== null;
        return isSet ? assumePayments({ amount: ZERO, onCall() {} }) : null;
      },
    },
  });

export const createWithdrawalPreviews = ({ accounts, actionUrl, whyHeld, findWallet }: Parts) => ({
  async commit(preview: Preview, withdrawalId: string): Promise<Withdrawal> {
    const { context } = preview;
    const withdrawal = await preview.run({ command: commitWithdrawal, input: { withdrawalId } });
    const { address, amount, walletId } = withdrawal;
    if (address !== null) {
      const wallet = await findWallet(context.marketplaceId, walletId ?? '');
      if (!wallet) throw timedOut(withdrawal, 'The wallet that pays does not exist.');
      return payOverLedger(preview, { withdrawal, address: wallet.address });
    }
    const payment = assumePayments({
      amount,
      onCall: (operation) => preview.call({ system: 'payment-provider', operation }),
    });
    const { pay } = createProviderPayouts({
      submit: preview.submit,
      accounts: { of: async (place) => ((await accounts.of(place)) === null ? null : payment) },
      openFloat: async () => true,
      whyHeld,
      actionUrl,
    });
    return pay(context, withdrawal);
  },
});

export type WithdrawalPreviews = ReturnType<typeof createWithdrawalPreviews>;
