// Ends a transaction that we signed, by what the ledger says became of it: books what it really moved and cost, and moves
// its wallets and the treasury's payments on. Settling again changes nothing.

import { networkFees, walletHolding } from '../domain/account.ts';
import { Fault } from '../domain/fault.ts';
import type { LedgerAction, LedgerTransaction } from '../domain/ledger-transaction.ts';
import { type Amount, formatExact, ZERO } from '../domain/money.ts';
import type { Wallet } from '../domain/wallet.ts';
import { move } from './books.ts';
import { command, type Desk, type Needs } from './command.ts';
import { paymentIdsOf } from './record-transaction.ts';
import { endPayments, returnPayments } from './treasury-queue.ts';
import { bookWalletPayment, held, walletPaymentAccounts } from './wallet-payment.ts';

type Charge = { readonly fee: Amount; readonly feeAccount: string };

/** How it ended. `paid` says for each action how much really moved; null where it moves nothing. */
export type Ending =
  | ({ readonly kind: 'succeeded'; readonly paid: readonly (Amount | null)[] } & Charge)
  /** On the ledger, without effect but for its fee. */
  | ({ readonly kind: 'failed'; readonly reason: string } & Charge)
  /** The network refused it before it was in any ledger. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Its time is over and it is in no ledger. */
  | { readonly kind: 'expired' };

export type SettleTransactionInput = { readonly transaction: LedgerTransaction; readonly ending: Ending };

const REJECTED = 'rejected: ';

const failureOf = (ending: Ending): string | null => {
  switch (ending.kind) {
    case 'succeeded':
      return null;
    case 'failed':
      return ending.reason;
    case 'rejected':
      return `${REJECTED}${ending.reason}`;
    case 'expired':
      return 'expired before it was in a ledger';
  }
};

/** A refused envelope that another process had sent too may still have been taken: the ledger has the last word. */
const isSettled = ({ state, failure }: LedgerTransaction, ending: Ending): boolean => {
  if (state === 'SIGNED') return false;
  const isOnLedger = ending.kind === 'succeeded' || ending.kind === 'failed';
  return !(isOnLedger && state === 'FAILED' && failure?.startsWith(REJECTED));
};

/** Where the money of an action goes. */
const paymentOf = (action: LedgerAction) => {
  if (action.type === 'trust') return null;
  return action.type === 'activate'
    ? { to: action.address, currency: 'XLM' as const }
    : { to: action.to, currency: action.currency };
};

const accountsOf = ({ transaction, ending }: SettleTransactionInput): NonNullable<Needs['accounts']> => {
  const { source, actions } = transaction;
  return [
    ...actions.flatMap((action) => {
      const payment = paymentOf(action);
      return payment ? walletPaymentAccounts({ from: source, to: payment.to, currency: payment.currency }) : [];
    }),
    ...('fee' in ending ? [networkFees('XLM'), walletHolding(ending.feeAccount, 'XLM')] : []),
  ];
};

const payFee = (desk: Desk, { fee, feeAccount }: Charge, id: string): void => {
  if (fee === ZERO) return;
  if (held(desk, feeAccount, 'XLM') < fee) throw booksBehind(feeAccount);
  move(desk, 'network_fee', { address: feeAccount, currency: 'XLM', amount: fee, reference: id });
};

/** The ledger let an address spend what the books do not know of yet: a deposit that has not been taken in. */
export const booksBehind = (address: string): Fault =>
  new Fault('INVALID_STATE', {
    message: `The books know of less at ${address} than it spent. Take in its deposits first.`,
    details: { currentState: 'BOOKS_BEHIND', allowedActions: [] },
  });

const activate = (desk: Desk, walletId: string): void => {
  const wallet = desk.get('wallets', walletId);
  if (wallet.status === 'ACTIVE') return;
  const active: Wallet = { ...wallet, status: 'ACTIVE', activatedAt: desk.now, updatedAt: desk.now };
  desk.put('wallets', active);
  desk.audit({
    action: 'WALLET_ACTIVATED',
    resourceType: 'Wallet',
    resourceId: wallet.id,
    ...(wallet.userId === null ? {} : { userId: wallet.userId }),
    before: { status: wallet.status },
    after: { status: active.status, address: wallet.address },
  });
};

const book = (desk: Desk, transaction: LedgerTransaction, ending: Extract<Ending, { kind: 'succeeded' }>): void => {
  const { id, source, actions } = transaction;
  for (const [index, action] of actions.entries()) {
    const [payment, amount] = [paymentOf(action), ending.paid[index] ?? null];
    if (payment && amount === null) throw new Error(`how much action ${index + 1} moved is not known`);
    if (payment && amount) {
      const { to, currency } = payment;
      const isBooked = bookWalletPayment(desk, { from: source, to, currency, amount, reference: id });
      if (!isBooked) throw booksBehind(source);
    }
    if (action.type !== 'pay') activate(desk, action.walletId);
  }
};

export const settleTransaction = command<SettleTransactionInput, LedgerTransaction>({
  name: 'settle-transaction',
  needs: (input) => ({
    rows: [
      { table: 'ledgerTransactions', id: input.transaction.id },
      ...input.transaction.actions.flatMap((action) =>
        action.type === 'pay' ? [] : [{ table: 'wallets', id: action.walletId } as const],
      ),
      ...paymentIdsOf(input.transaction.actions).map((id) => ({ table: 'treasuryPayments', id }) as const),
    ],
    accounts: accountsOf(input),
  }),
  decide({ transaction: { id }, ending }, desk) {
    const transaction = desk.get('ledgerTransactions', id);
    if (isSettled(transaction, ending)) return transaction;
    if ('fee' in ending) payFee(desk, ending, id);
    if (ending.kind === 'succeeded') {
      book(desk, transaction, ending);
      endPayments(desk, transaction, ending.paid);
    } else {
      returnPayments(desk, transaction, { reason: failureOf(ending)!, isExpired: ending.kind === 'expired' });
    }
    const settled: LedgerTransaction = {
      ...transaction,
      state: ending.kind === 'succeeded' ? 'SUCCEEDED' : 'FAILED',
      failure: failureOf(ending),
      updatedAt: desk.now,
    };
    desk.put('ledgerTransactions', settled);
    desk.audit({
      action: 'LEDGER_TRANSACTION_SETTLED',
      resourceType: 'LedgerTransaction',
      resourceId: id,
      before: { state: transaction.state },
      after: {
        state: settled.state,
        failure: settled.failure,
        ...('fee' in ending ? { fee: formatExact(ending.fee), feeAccount: ending.feeAccount } : {}),
      },
      result: ending.kind === 'succeeded' ? 'SUCCESS' : 'FAILURE',
    });
    return settled;
  },
});
