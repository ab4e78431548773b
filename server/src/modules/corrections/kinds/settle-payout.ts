// Settles a withdrawal whose payout differs from what was asked for. A payout over less returns the rest to the user; one over more stays a
// loss of the operator, or is taken from the user as far as the caller says. A withdrawal that the provider does not know is not paid.

import { DomainError } from '../../../base/domain-error.ts';
import { type Amount, formatAmount, formatExact, minus, ZERO } from '../../../books/money.ts';
import type { Context, UnitOfWork } from '../../../commit/command.ts';
import { availableChange, balanceOf } from '../../../commit/money.ts';
import type { PaymentAccounts } from '../../../providers/ports.ts';
import { acceptBreak, acceptedNeed, isAccepted } from '../../reconciliation/accepted-break.ts';
import { applyUpdate } from '../../withdrawals/apply-payout.ts';
import { withdrawalRow } from '../../withdrawals/machine.ts';
import {
  isAmountCertain,
  isPayoutEnd,
  mismatchOf,
  type PayoutUpdate,
  updateOf,
} from '../../withdrawals/payout-update.ts';
import type { WithdrawalReads } from '../../withdrawals/queries.ts';
import { isUnderWay, type Withdrawal } from '../../withdrawals/withdrawal.ts';
import { withdrawalNeedsNext } from '../../withdrawals/withdrawal-money.ts';
import { moveWithdrawal } from '../../withdrawals/withdrawal-work.ts';
import type { Figures } from '../correction.ts';
import {
  type AnyKind,
  type Corrected,
  type CorrectionRequest,
  correctionKind,
  doesNotFit,
  factsUnknown,
} from '../kind.ts';

type Parts = {
  readonly withdrawals: Pick<WithdrawalReads, 'find'>;
  readonly accounts: Pick<PaymentAccounts, 'of'>;
};

type Seen =
  /** The payout is in the books with another amount. */
  | { readonly kind: 'difference' }
  /** The provider has ended the payout, as its record says. */
  | { readonly kind: 'ended'; readonly update: PayoutUpdate }
  /** The provider does not know the payout. */
  | { readonly kind: 'none'; readonly providerPayoutId: string | null };

const factsOf = ({ status, amount, currency, executed, providerPayoutId }: Withdrawal): Figures => ({
  status,
  amount: formatAmount(amount),
  currency,
  executed: executed === null ? null : formatAmount(executed),
  providerPayoutId,
});

const BREAK = 'payout-amount';

const breakOf = ({ id, amount, executed }: Withdrawal) =>
  ({
    kind: BREAK,
    subject: id,
    figures: { expected: formatExact(amount), actual: formatExact(executed ?? amount) },
  }) as const;

const figures = (work: UnitOfWork, withdrawal: Withdrawal): Figures => {
  const { available, reserved } = balanceOf(work, withdrawal);
  return { ...factsOf(withdrawal), available: formatAmount(available), reserved: formatAmount(reserved) };
};

const NOT_PAID: Readonly<Record<string, string>> = {
  WITHDRAWAL_CREATED: 'The withdrawal is not committed: commit it, or let it expire, which returns the money.',
  WITHDRAWAL_FAILED: 'The withdrawal has failed, and its money is back in the balance. Nothing is left to settle.',
  WITHDRAWAL_CANCELED: 'The withdrawal was canceled, and its money is back in the balance. Nothing is left to settle.',
};

/** What the rows alone refuse. */
const requireSettleable = (request: CorrectionRequest, withdrawal: Withdrawal): void => {
  const { status, address, executed } = withdrawal;
  const refuse = (message: string): never => {
    throw doesNotFit({ ...request, message, facts: factsOf(withdrawal) });
  };
  if (address !== null) {
    refuse(
      'The ledger pays this withdrawal, and the server follows its transaction to the end. Read it with POST /withdrawals/{id}/refresh.',
    );
  }
  const why = NOT_PAID[status];
  if (why !== undefined) refuse(why);
  if (status === 'WITHDRAWAL_COMPLETED' && executed === null) {
    refuse('The payment provider paid what was asked for. Nothing is left to settle.');
  }
};

/** What the provider's own records say, read twice when they are silent about the payout. */
const readPayout = async (
  { accounts }: Parts,
  of: { context: Context; withdrawal: Withdrawal; request: CorrectionRequest },
): Promise<Seen> => {
  const { context, withdrawal, request } = of;
  const { id, credentialsId, providerPayoutId } = withdrawal;
  const unclear = (reason: string) =>
    factsUnknown({ provider: 'payment-provider', reason, facts: factsOf(withdrawal) });
  const payment = await accounts.of({ marketplaceId: context.marketplaceId, credentialsId });
  if (!payment) throw unclear('The account at the payment provider cannot be opened.');
  const reads = [() => payment.findPayoutByCode(id), () => payment.findPayoutByCode(id)];
  if (providerPayoutId !== null) reads.push(() => payment.getPayout(providerPayoutId));
  for (const read of reads) {
    const found = await read();
    if (found.kind !== 'yes') throw unclear(found.reason);
    if (found.value === null) continue;
    const isCertain = await isAmountCertain({ payment, withdrawal }, found.value);
    const update = { ...updateOf(found.value, { actionUrl: null, isAmountCertain: isCertain }), fee: null };
    const facts = {
      ...factsOf(withdrawal),
      provider: { id: found.value.id, state: found.value.state, amount: formatAmount(found.value.amount) },
    };
    if (!isPayoutEnd(found.value.state)) {
      const message = `The payment provider has the payout as ${found.value.state}, and may still pay it. Wait for it, or cancel it at the provider; POST /withdrawals/{id}/refresh then returns the money.`;
      throw doesNotFit({ ...request, message, facts });
    }
    const mismatch = mismatchOf(withdrawal, update);
    if (mismatch === null) return { kind: 'ended', update };
    throw doesNotFit({ ...request, message: `${mismatch} Ask the provider for the record of this withdrawal.`, facts });
  }
  return { kind: 'none', providerPayoutId };
};

type Settled = { readonly request: CorrectionRequest; readonly withdrawal: Withdrawal };

type Settling = Settled & { readonly largest: Amount; readonly isShort: boolean };

/** What was paid too little is the user's, so all of it goes back; a second correction cannot return the rest. */
const requireFitting = ({ request, withdrawal, largest, isShort }: Settling, amount: Amount): void => {
  if (isShort ? amount === largest : amount <= largest) return;
  const next = isShort ? 'It is returned as a whole: leave "amount" out.' : 'Send at most that as "amount".';
  const message = `The difference is ${formatAmount(largest)} ${withdrawal.currency}. ${next}`;
  throw doesNotFit({ ...request, message, facts: factsOf(withdrawal) });
};

/** Returns what was paid too little, or takes what was paid too much; null when no money moves. */
const settleDifference = (work: UnitOfWork, { request, withdrawal }: Settled): Amount | null => {
  const { id, userId, currency, amount: asked, executed } = withdrawal;
  const isShort = executed !== null && executed < asked;
  const largest = executed === null ? ZERO : isShort ? minus(asked, executed) : minus(executed, asked);
  const amount = request.amount ?? (isShort ? largest : null);
  if (amount === null) return null;
  requireFitting({ request, withdrawal, largest, isShort }, amount);
  const before = balanceOf(work, withdrawal);
  work.move(isShort ? 'credit' : 'debit', { userId, currency, amount, reference: id });
  const change = {
    ...availableChange(before, balanceOf(work, withdrawal)),
    userId,
    amount: formatAmount(amount),
    currency,
  };
  if (isShort) {
    const payload = { ...change, source: 'correction', sourceId: id };
    work.emit({ type: 'balance.credited', aggregateId: userId, userId, payload });
  } else {
    const payload = { ...change, destination: 'correction', destinationId: id };
    work.emit({ type: 'balance.debited', aggregateId: userId, userId, payload });
  }
  return amount;
};

/** The provider had this payout, and it may have been committed. That it is not shown does not say that it will not be paid. */
const refuseHidden = ({ request, withdrawal }: Settled): never => {
  const message = `The payment provider had the payout ${withdrawal.providerPayoutId}, and does not show it now. It may still pay it, so no money is returned. Ask the provider for this payout; POST /withdrawals/{id}/refresh settles the withdrawal once the provider shows it.`;
  throw doesNotFit({ ...request, message, facts: factsOf(withdrawal) });
};

const settle = (
  work: UnitOfWork,
  { request, seen, withdrawal }: { request: CorrectionRequest; seen: Seen; withdrawal: Withdrawal },
): Amount | null => {
  const refuse = (message: string): never => {
    throw doesNotFit({ ...request, message, facts: factsOf(withdrawal) });
  };
  if (seen.kind === 'difference') {
    const of = breakOf(withdrawal);
    if (isAccepted(work, of)) refuse('The difference of this payout is settled already. Nothing is left to correct.');
    acceptBreak(work, of);
    return settleDifference(work, { request, withdrawal });
  }
  if (!isUnderWay(withdrawal)) refuse('The withdrawal has ended since the provider was read. Read it again.');
  if (seen.kind === 'ended') {
    const { outcome, reason } = applyUpdate(work, { withdrawal, update: seen.update });
    if (outcome !== 'applied') refuse(`${reason ?? 'The record changes nothing.'} Ask the provider for its record.`);
    return withdrawal.amount;
  }
  // A payout that was made since the look is recorded on the withdrawal before it is committed at the provider.
  if (withdrawal.providerPayoutId !== seen.providerPayoutId)
    refuse('The payout was made since the provider was read. Read it again.');
  if (withdrawal.providerPayoutId !== null) refuseHidden({ request, withdrawal });
  const row = withdrawalRow({ from: withdrawal.status, on: 'payout.failed' });
  moveWithdrawal(work, { withdrawal, row, reason: `The provider has no payout: ${request.reason}`, code: 'NO_PAYOUT' });
  return withdrawal.amount;
};

export const settlePayout = (parts: Parts): AnyKind =>
  correctionKind<Seen>({
    async look(context, request) {
      const withdrawal = await parts.withdrawals.find(context.marketplaceId, request.resourceId);
      if (!withdrawal) throw new DomainError('WITHDRAWAL_NOT_FOUND');
      requireSettleable(request, withdrawal);
      if (withdrawal.status === 'WITHDRAWAL_COMPLETED') return { kind: 'difference' };
      return readPayout(parts, { context, withdrawal, request });
    },
    needs: ({ request: { resourceId: id } }) => ({
      rows: [{ table: 'withdrawals', id }, acceptedNeed({ kind: BREAK, subject: id })],
    }),
    needsNext: ({ request }, work) => withdrawalNeedsNext(work, request.resourceId),
    decide(work, { request, seen }): Corrected {
      const withdrawal = work.get('withdrawals', request.resourceId);
      requireSettleable(request, withdrawal);
      const before = figures(work, withdrawal);
      const amount = settle(work, { request, seen, withdrawal });
      const after = figures(work, work.get('withdrawals', withdrawal.id));
      return { before, after, amount, currency: amount === null ? null : withdrawal.currency, orderId: null };
    },
    reactions: ({ request, seen }) =>
      seen.kind === 'difference'
        ? [{ name: 'break-closed', payload: { kind: BREAK, subject: request.resourceId } }]
        : [],
  });
