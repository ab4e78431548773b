// Settles a transaction by its outcome on the ledger: books what it moved and cost, and updates its wallets, its treasury payments
// and the rows that it is for. Settling again changes nothing.

import { networkFees, walletHolding } from '../../books/accounts.ts';
import { type Amount, formatExact, ZERO } from '../../books/money.ts';
import { type Command, command, type Need, type Needs, type UnitOfWork } from '../../commit/command.ts';
import type { Reaction } from '../../commit/reactions.ts';
import { ACCOUNT_RESERVES, TRUSTLINE_RESERVES } from '../../providers/ledger-reserve.ts';
import { ownedBy, type Wallet } from '../keys/wallet.ts';
import { endPayments, returnPayments } from '../treasury/treasury-queue.ts';
import { type ActionOwners, isWithdrawal, ownedActions } from './action-owners.ts';
import { bookEscrowPayments, escrowActionIn, escrowPaymentAccounts, type Moved } from './contract-moves.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';
import { paymentIdsOf } from './record-transaction.ts';
import { gainNeeds, isToOutside, paymentOf, settleGains } from './settlement-gains.ts';
import { type AtAddress, openSpending, type Spending, spendingAccounts } from './wallet-payment.ts';

type Charge = {
  readonly fee: Amount;
  readonly feeAccount: string;
  /** The hash of the fee bump that the ledger included it with. */
  readonly bumpId?: string | null;
  /** The ledger that it is in. */
  readonly ledger: number;
};

type Success = Charge & {
  readonly kind: 'succeeded';
  /** For each action the amount that the ledger moved; null where it moves nothing, or more than one amount. */
  readonly paid: readonly (Amount | null)[];
  /** What a call of an escrow contract moved. */
  readonly moved?: readonly Moved[];
};

/** The certain end of a transaction. */
export type Ending =
  | Success
  /** On the ledger, with no effect except its fee. */
  | ({ readonly kind: 'failed'; readonly reason: string } & Charge)
  /** The network refused it before it was in any ledger. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** It expired and is in no ledger. */
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
      return `rejected: ${ending.reason}`;
    case 'expired':
      return 'expired before it was in a ledger';
  }
};

/**
 * Until a refused envelope expires, the ledger may still have included it. A node that lags can make an envelope look expired that is
 * on the ledger. In both cases the ledger decides.
 */
const isSettled = (transaction: LedgerTransaction, ending: Ending): boolean => {
  if (transaction.state === 'SIGNED') return false;
  if (ending.kind === 'rejected') return true;
  return transaction.ending !== 'rejected' && !(transaction.ending === 'expired' && ending.kind !== 'expired');
};

const SPONSOR = { by: 'owner', value: ownedBy('treasury', null) } as const;

const walletNeeds = (action: LedgerAction): Need[] => {
  if (!('walletId' in action)) return [];
  const own = { table: 'wallets', id: action.walletId } as const;
  return action.type === 'activate' && action.sponsors ? [own, { table: 'wallets', ...SPONSOR }] : [own];
};

const accountsOf = ({ transaction, ending }: SettleTransactionInput): NonNullable<Needs['accounts']> => {
  const { source, actions } = transaction;
  const call = escrowActionIn(actions);
  return [
    ...actions.flatMap((action) => {
      const payment = paymentOf(action);
      if (!payment) return [];
      const receiving = isToOutside(action) ? [] : [walletHolding(payment.to, payment.currency)];
      return [...receiving, ...spendingAccounts(source, payment.currency)];
    }),
    ...(call && ending.kind === 'succeeded' ? escrowPaymentAccounts(call, ending.moved ?? []) : []),
    ...('fee' in ending ? [networkFees('XLM'), ...spendingAccounts(ending.feeAccount, 'XLM')] : []),
  ];
};

type Fee = { readonly charge: Charge; readonly spending: Spending; readonly reference: string };

const payFee = (work: UnitOfWork, { charge, spending, reference }: Fee): void => {
  const { fee, feeAccount } = charge;
  if (fee === ZERO) return;
  spending.from(feeAccount, { currency: 'XLM', amount: fee });
  work.move('network_fee', { address: feeAccount, currency: 'XLM', amount: fee, reference });
};

const bumpNeeds = (ending: Ending): Need[] =>
  'fee' in ending && ending.bumpId ? [{ table: 'ledgerBumps', id: ending.bumpId }] : [];

/** A database that is older than the ledger may not know the bump. Its payments would be taken for those of a stranger. */
const rememberBump = (work: UnitOfWork, { charge, transactionId }: { charge: Charge; transactionId: string }): void => {
  const { bumpId: id, fee: bid } = charge;
  if (!id || bid === ZERO || work.find('ledgerBumps', id)) return;
  work.put('ledgerBumps', { id, transactionId, envelope: '', bid, createdAt: work.now });
};

/** The sponsor's money stays its own and is no posting: it is only locked. */
const lockReserves = (work: UnitOfWork, sponsors: 'account' | 'trustline'): void => {
  const sponsor = work.findBy('wallets', SPONSOR);
  if (!sponsor) throw new Error('a sponsored wallet has no treasury');
  const locked = TRUSTLINE_RESERVES + (sponsors === 'account' ? ACCOUNT_RESERVES : 0);
  work.put('wallets', { ...sponsor, sponsoredReserves: sponsor.sponsoredReserves + locked, updatedAt: work.now });
};

const activate = (work: UnitOfWork, action: Extract<LedgerAction, { type: 'activate' | 'trust' }>): void => {
  const wallet = work.get('wallets', action.walletId);
  if (wallet.status === 'ACTIVE') return;
  if (action.type === 'activate' && action.sponsors) lockReserves(work, action.sponsors);
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

type Booked = {
  readonly owners: ActionOwners;
  readonly transaction: LedgerTransaction;
  readonly ending: Success;
  readonly spending: Spending;
};

type BookedPayment = Pick<Booked, 'owners' | 'transaction'> & {
  readonly action: LedgerAction;
  readonly amount: Amount;
};

const bookPayment = (work: UnitOfWork, { owners, transaction, action, amount }: BookedPayment): void => {
  const { id: transactionId, source: address } = transaction;
  if (isWithdrawal(action)) {
    owners.withdrawal.book(work, { withdrawalId: action.withdrawalId, address, amount, transactionId });
    return;
  }
  const { to: toAddress, currency } = paymentOf(action)!;
  if (action.type === 'pay' && action.outside) {
    work.move('forgotten_payment', { address, currency, amount, reference: transactionId });
    return;
  }
  work.move('wallet_payment', { address, toAddress, currency, amount, reference: transactionId });
};

const book = (work: UnitOfWork, { owners, transaction, ending, spending }: Booked): void => {
  const { id: reference, source, actions } = transaction;
  for (const [index, action] of actions.entries()) {
    const payment = paymentOf(action);
    const amount = ending.paid[index] ?? null;
    if (payment && amount === null) throw new Error(`the amount that action ${index + 1} moved is unknown`);
    if (payment && amount) {
      spending.from(source, { currency: payment.currency, amount });
      bookPayment(work, { owners, transaction, action, amount });
    }
    if (action.type === 'escrow') bookEscrowPayments(work, { action, moved: ending.moved ?? [], spending, reference });
    if (action.type === 'activate' || action.type === 'trust') activate(work, action);
  }
};

type Settlement = {
  readonly before: LedgerTransaction;
  readonly ending: Ending;
  /** What nothing in the books explains. */
  readonly unexplained: readonly AtAddress[];
  /** What earlier settlements could not explain, and this transaction does. */
  readonly explained: readonly AtAddress[];
};

const audited = (name: string, sums: readonly AtAddress[]) =>
  sums.length === 0 ? {} : { [name]: sums.map((sum) => ({ ...sum, amount: formatExact(sum.amount) })) };

const store = (work: UnitOfWork, { before, ending, unexplained, explained }: Settlement): LedgerTransaction => {
  const settled: LedgerTransaction = {
    ...before,
    state: ending.kind === 'succeeded' ? 'SUCCEEDED' : 'FAILED',
    ending: ending.kind === 'succeeded' ? null : ending.kind,
    failure: failureOf(ending),
    updatedAt: work.now,
  };
  work.put('ledgerTransactions', settled);
  work.audit({
    action: 'LEDGER_TRANSACTION_SETTLED',
    resourceType: 'LedgerTransaction',
    resourceId: before.id,
    before: { state: before.state },
    after: {
      state: settled.state,
      failure: settled.failure,
      ...('fee' in ending ? { fee: formatExact(ending.fee), feeAccount: ending.feeAccount } : {}),
      ...audited('unexplained', unexplained),
      ...audited('explained', explained),
    },
    result: ending.kind === 'succeeded' ? 'SUCCESS' : 'FAILURE',
  });
  return settled;
};

declare module '../../commit/reactions.ts' {
  interface Reactions {
    /** The outcome of a transaction is in the books, whichever process sent it. */
    'transaction-settled': { readonly transaction: LedgerTransaction };
    /** A call of an escrow contract has ended, also when another process sent it. */
    'escrow-call-settled': { readonly operationId: string };
  }
}

const reactionsTo = (transaction: LedgerTransaction): Reaction[] => {
  const call = escrowActionIn(transaction.actions);
  const settled = { name: 'transaction-settled', payload: { transaction } } as const;
  return call ? [settled, { name: 'escrow-call-settled', payload: { operationId: call.operationId } }] : [settled];
};

export type SettleTransaction = Command<SettleTransactionInput, LedgerTransaction>;

export const createSettleTransaction = (owners: ActionOwners): SettleTransaction =>
  command({
    name: 'settle-transaction',
    needs: (input) => ({
      rows: [
        { table: 'ledgerTransactions', id: input.transaction.id },
        ...input.transaction.actions.flatMap(walletNeeds),
        ...bumpNeeds(input.ending),
        ...gainNeeds(input),
        ...paymentIdsOf(input.transaction.actions).map((id) => ({ table: 'treasuryPayments', id }) as const),
        ...ownedActions(owners, input.transaction.actions).flatMap((owned) => owned.endNeeds()),
      ],
      accounts: accountsOf(input),
    }),
    needsNext({ transaction }, work) {
      const more = ownedActions(owners, transaction.actions).map((owned) => owned.endNeedsNext(work));
      return {
        rows: more.flatMap(({ rows = [] }) => rows),
        accounts: more.flatMap(({ accounts = [] }) => accounts),
      };
    },
    decide({ transaction: { id }, ending, depositsApplied = false }, work) {
      const transaction = work.get('ledgerTransactions', id);
      if (isSettled(transaction, ending)) return transaction;
      const ledger = 'fee' in ending ? ending.ledger : null;
      const spending = openSpending(work, { reference: id, depositsApplied, ledger });
      if ('fee' in ending) payFee(work, { charge: ending, spending, reference: id });
      if ('fee' in ending) rememberBump(work, { charge: ending, transactionId: id });
      if (ending.kind === 'succeeded') {
        book(work, { owners, transaction, ending, spending });
        endPayments(work, { transaction, paid: ending.paid });
      } else {
        returnPayments(work, { transaction, reason: failureOf(ending)!, isExpired: ending.kind === 'expired' });
      }
      for (const owned of ownedActions(owners, transaction.actions)) owned.end(work, { transactionId: id, ending });
      const explained = settleGains(work, { transaction, ending, spending });
      return store(work, { before: transaction, ending, unexplained: spending.unexplained, explained });
    },
    reactions: ({ reply }) => (reply === null ? [] : reactionsTo(reply)),
  });
