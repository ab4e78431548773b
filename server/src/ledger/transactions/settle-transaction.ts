// Ends a transaction that we signed, by what the ledger says became of it: books what it really moved and cost, and moves
// its wallets, the treasury's payments, the escrow's calls and withdrawals on. Settling again changes nothing.

import { networkFees, walletHolding } from '../../books/accounts.ts';
import { type Amount, formatExact, ZERO } from '../../books/money.ts';
import { command, type Need, type Needs, type UnitOfWork } from '../../commit/command.ts';
import { move } from '../../commit/money.ts';
import { endCall, endedCallNeeds } from '../../modules/escrows/call-rows.ts';
import {
  bookEscrowPayments,
  escrowActionIn,
  escrowPaymentAccounts,
  type Moved,
} from '../../modules/escrows/escrow-payments.ts';
import { bookWithdrawal, endPayment, withdrawalIdsOf } from '../../modules/withdrawals/ledger-payments.ts';
import { withdrawalNeedsNext } from '../../modules/withdrawals/withdrawal-money.ts';
import type { Wallet } from '../keys/wallet.ts';
import { endPayments, returnPayments } from '../treasury/treasury-queue.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';
import { EXPIRED, isRejected, paymentIdsOf, rejectedFor } from './record-transaction.ts';
import { openSpending, type Spending, spendingAccounts } from './wallet-payment.ts';

type Charge = { readonly fee: Amount; readonly feeAccount: string };

type Success = Charge & {
  readonly kind: 'succeeded';
  /** For each action how much really moved; null where it moves nothing, or more than one amount. */
  readonly paid: readonly (Amount | null)[];
  /** What a call of an escrow contract moved. */
  readonly moved?: readonly Moved[];
};

/** How it ended. */
export type Ending =
  | Success
  /** On the ledger, without effect but for its fee. */
  | ({ readonly kind: 'failed'; readonly reason: string } & Charge)
  /** The network refused it before it was in any ledger. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Its time is over and it is in no ledger. */
  | { readonly kind: 'expired' };

export type SettleTransactionInput = {
  readonly transaction: LedgerTransaction;
  readonly ending: Ending;
  /** See openSpending. */
  readonly depositsApplied?: boolean;
};

const failureOf = (ending: Ending): string | null => {
  switch (ending.kind) {
    case 'succeeded':
      return null;
    case 'failed':
      return ending.reason;
    case 'rejected':
      return rejectedFor(ending.reason);
    case 'expired':
      return EXPIRED;
  }
};

/** A refused envelope may still have been taken, until its time is over: the ledger has the last word. */
const isSettled = (transaction: LedgerTransaction, ending: Ending): boolean => {
  if (transaction.state === 'SIGNED') return false;
  return ending.kind === 'rejected' || !isRejected(transaction);
};

/** Where the money of an action goes, when it goes to one address. */
const paymentOf = (action: LedgerAction) => {
  if (action.type === 'activate') return { to: action.address, currency: 'XLM' as const };
  return action.type === 'pay' ? { to: action.to, currency: action.currency } : null;
};

const rowsOf = (action: LedgerAction): Need[] => {
  if (action.type === 'escrow') return endedCallNeeds(action);
  if (action.type !== 'pay') return [{ table: 'wallets', id: action.walletId }];
  return action.withdrawalId ? [{ table: 'withdrawals', id: action.withdrawalId }] : [];
};

const accountsOf = ({ transaction, ending }: SettleTransactionInput): NonNullable<Needs['accounts']> => {
  const { source, actions } = transaction;
  const call = escrowActionIn(actions);
  return [
    ...actions.flatMap((action) => {
      const payment = paymentOf(action);
      if (!payment) return [];
      // What an outsider has is not in our books.
      const isOutside = action.type === 'pay' && action.outside === true;
      const receiving = isOutside ? [] : [walletHolding(payment.to, payment.currency)];
      return [...receiving, ...spendingAccounts(source, payment.currency)];
    }),
    ...(call && ending.kind === 'succeeded' ? escrowPaymentAccounts(call, ending.moved ?? []) : []),
    ...('fee' in ending ? [networkFees('XLM'), ...spendingAccounts(ending.feeAccount, 'XLM')] : []),
  ];
};

const payFee = (work: UnitOfWork, { fee, feeAccount }: Charge, of: { spending: Spending; reference: string }): void => {
  if (fee === ZERO) return;
  of.spending.from(feeAccount, { currency: 'XLM', amount: fee });
  move(work, 'network_fee', { address: feeAccount, currency: 'XLM', amount: fee, reference: of.reference });
};

const activate = (work: UnitOfWork, walletId: string): void => {
  const wallet = work.get('wallets', walletId);
  if (wallet.status === 'ACTIVE') return;
  const active: Wallet = { ...wallet, status: 'ACTIVE', activatedAt: work.now, updatedAt: work.now };
  work.put('wallets', active);
  work.audit({
    action: 'WALLET_ACTIVATED',
    resourceType: 'Wallet',
    resourceId: wallet.id,
    ...(wallet.userId === null ? {} : { userId: wallet.userId }),
    before: { status: wallet.status },
    after: { status: active.status, address: wallet.address },
  });
};

type Booked = { readonly transaction: LedgerTransaction; readonly ending: Success; readonly spending: Spending };

const book = (work: UnitOfWork, { transaction, ending, spending }: Booked): void => {
  const { id: reference, source, actions } = transaction;
  for (const [index, action] of actions.entries()) {
    const [payment, amount] = [paymentOf(action), ending.paid[index] ?? null];
    if (payment && amount === null) throw new Error(`how much action ${index + 1} moved is not known`);
    if (payment && amount) {
      const { to, currency } = payment;
      spending.from(source, { currency, amount });
      if (action.type === 'pay' && action.withdrawalId) {
        bookWithdrawal(work, action.withdrawalId, { address: source, amount, transactionId: reference });
      } else {
        move(work, 'wallet_payment', { address: source, toAddress: to, currency, amount, reference });
      }
    }
    if (action.type === 'escrow') bookEscrowPayments(work, { action, moved: ending.moved ?? [], spending, reference });
    if (action.type === 'activate' || action.type === 'trust') activate(work, action.walletId);
  }
};

export const settleTransaction = command<SettleTransactionInput, LedgerTransaction>({
  name: 'settle-transaction',
  needs: (input) => ({
    rows: [
      { table: 'ledgerTransactions', id: input.transaction.id },
      ...input.transaction.actions.flatMap(rowsOf),
      ...paymentIdsOf(input.transaction.actions).map((id) => ({ table: 'treasuryPayments', id }) as const),
    ],
    accounts: accountsOf(input),
  }),
  needsNext({ transaction }, work) {
    const more = withdrawalIdsOf(transaction.actions).map((id) => withdrawalNeedsNext(work, id));
    return { rows: more.flatMap(({ rows }) => rows), accounts: more.flatMap(({ accounts }) => accounts) };
  },
  decide({ transaction: { id }, ending, depositsApplied = false }, work) {
    const transaction = work.get('ledgerTransactions', id);
    if (isSettled(transaction, ending)) return transaction;
    const spending = openSpending(work, { reference: id, depositsApplied });
    if ('fee' in ending) payFee(work, ending, { spending, reference: id });
    if (ending.kind === 'succeeded') {
      book(work, { transaction, ending, spending });
      endPayments(work, transaction, ending.paid);
    } else {
      returnPayments(work, transaction, { reason: failureOf(ending)!, isExpired: ending.kind === 'expired' });
    }
    const call = escrowActionIn(transaction.actions);
    if (call) endCall(work, call, { transactionId: id, isDone: ending.kind === 'succeeded' });
    for (const withdrawalId of withdrawalIdsOf(transaction.actions)) {
      endPayment(work, withdrawalId, { transactionId: id, ending });
    }
    const settled: LedgerTransaction = {
      ...transaction,
      state: ending.kind === 'succeeded' ? 'SUCCEEDED' : 'FAILED',
      failure: failureOf(ending),
      updatedAt: work.now,
    };
    work.put('ledgerTransactions', settled);
    const { unexplained } = spending;
    work.audit({
      action: 'LEDGER_TRANSACTION_SETTLED',
      resourceType: 'LedgerTransaction',
      resourceId: id,
      before: { state: transaction.state },
      after: {
        state: settled.state,
        failure: settled.failure,
        ...('fee' in ending ? { fee: formatExact(ending.fee), feeAccount: ending.feeAccount } : {}),
        ...(unexplained.length > 0 ? { unexplained } : {}),
      },
      result: ending.kind === 'succeeded' ? 'SUCCESS' : 'FAILURE',
    });
    return settled;
  },
  reactions({ reply }) {
    const call = reply && escrowActionIn(reply.actions);
    return call ? [{ name: 'escrow-call-settled', payload: { operationId: call.operationId } }] : [];
  },
});

declare module '../../commit/reactions.ts' {
  interface Reactions {
    /** A call of an escrow contract has ended, also when another process sent it. */
    'escrow-call-settled': { readonly operationId: string };
  }
}
