// Credits a top-up that was paid after it had failed, expired or been cancelled. The provider's own record says that it was paid, and how
// much: exactly that is credited. A payment over another amount than the top-up's is credited only when the caller names it.

import { DomainError } from '../../../base/domain-error.ts';
import { formatAmount } from '../../../books/money.ts';
import type { UnitOfWork } from '../../../commit/command.ts';
import { balanceOf } from '../../../commit/money.ts';
import type { Payin, PaymentAccounts } from '../../../providers/ports.ts';
import { acceptedAt, acceptedNeed } from '../../reconciliation/accepted-break.ts';
import type { BreakReads } from '../../reconciliation/queries.ts';
import { bookLatePayin, creditLatePayin, isUnpaid, readLatePayin } from '../../topups/late-topup.ts';
import { updateOf } from '../../topups/payin-update.ts';
import type { TopUpReads } from '../../topups/queries.ts';
import type { TopUp } from '../../topups/topup.ts';
import { topUpNeedsNext } from '../../topups/topup-work.ts';
import type { Figures } from '../correction.ts';
import { type AnyKind, type CorrectionRequest, correctionKind, doesNotFit, factsUnknown } from '../kind.ts';

type Parts = {
  readonly breaks: Pick<BreakReads, 'acceptedAt'>;
  readonly topups: Pick<TopUpReads, 'find'>;
  readonly accounts: Pick<PaymentAccounts, 'of'>;
};

type Seen = { readonly payin: Payin };

const factsOf = ({ status, amount, currency, lateAmount, correctedAt }: TopUp): Figures => ({
  status,
  amount: formatAmount(amount),
  currency,
  paidLate: lateAmount === null ? null : formatAmount(lateAmount),
  creditedByHandAt: correctedAt,
});

const breakOf = (id: string) => ({ kind: 'late-topup', subject: id }) as const;

type Late = {
  readonly topup: TopUp;
  /** When close-break has closed the late payment; null when never. */
  readonly closedAt: string | null;
};

const requireOpen = (request: CorrectionRequest, { topup, closedAt }: Late): void => {
  const facts = factsOf(topup);
  if (topup.status === 'TOPUP_SUCCEEDED') {
    throw doesNotFit({ ...request, facts, message: 'The top-up is credited already. Nothing is left to correct.' });
  }
  if (!isUnpaid(topup)) {
    const message = 'The top-up has not ended. Refresh it with POST /topups/{id}/refresh; a payment is then credited.';
    throw doesNotFit({ ...request, facts, message });
  }
  if (topup.correctedAt === null) return;
  // Closing a break sets the same mark, in the same commit.
  const message =
    closedAt === topup.correctedAt
      ? `The correction close-break has closed the late payment, so it is not credited any more. If that was wrong, and the user has not got the money since, credit it with POST /users/${topup.userId}/balance/credit.`
      : 'An operator has credited this top-up by hand already. Debit that credit first if it was wrong.';
  throw doesNotFit({ ...request, facts, message });
};

const figures = (work: UnitOfWork, topup: TopUp): Figures => ({
  ...factsOf(topup),
  available: formatAmount(balanceOf(work, topup).available),
});

/** A payment over another amount needs a caller who has seen the amount. */
const requireAmount = (request: CorrectionRequest, topup: TopUp): void => {
  const { amount, lateAmount, currency } = topup;
  if (lateAmount === null || lateAmount === (request.amount ?? amount)) return;
  const paid = formatAmount(lateAmount);
  const message = `The provider's record shows a payment of ${paid} ${currency}. Send "amount": "${paid}" to credit what was paid.`;
  throw doesNotFit({ ...request, facts: factsOf(topup), message });
};

export const creditLateTopUp = ({ topups, accounts, breaks }: Parts): AnyKind => {
  const readPayin = readLatePayin(accounts);
  return correctionKind<Seen>({
    async look(context, request) {
      const topup = await topups.find(context.marketplaceId, request.resourceId);
      if (!topup) throw new DomainError('TOPUP_NOT_FOUND');
      const { kind, subject } = breakOf(topup.id);
      const closedAt = await breaks.acceptedAt(context.marketplaceId, `${kind}:${subject}`);
      requireOpen(request, { topup, closedAt });
      const found = await readPayin({ context, topup }, 'foreground');
      const facts = factsOf(topup);
      if (found === 'unknown') {
        const reason = 'The record of the payment could not be read.';
        throw factsUnknown({ provider: 'payment-provider', reason, facts });
      }
      if (typeof found === 'object') return found;
      const message =
        found === 'absent'
          ? 'The payment provider does not know this payment, so there is nothing to credit. Ask the provider for its record.'
          : 'The payment provider says that the payment was not made, so there is nothing to credit. Ask the provider for its record.';
      throw doesNotFit({ ...request, message, facts: { ...facts, provider: found } });
    },
    needs: ({ request: { resourceId: id } }) => ({ rows: [{ table: 'topups', id }, acceptedNeed(breakOf(id))] }),
    needsNext: ({ request }, work) => topUpNeedsNext(work, request.resourceId),
    decide(work, { request, seen }) {
      const topup = work.get('topups', request.resourceId);
      requireOpen(request, { topup, closedAt: acceptedAt(work, breakOf(topup.id)) });
      const before = figures(work, topup);
      const booked = bookLatePayin(work, { topup, update: updateOf(seen.payin) });
      if (booked.lateAmount === null) {
        const message =
          "The provider's record is about another payment. Ask the provider for the record of this top-up.";
        throw doesNotFit({ ...request, facts: factsOf(topup), message });
      }
      requireAmount(request, booked);
      const credited = creditLatePayin(work, booked);
      const { amount, currency } = credited;
      return { before, after: figures(work, credited), amount, currency, orderId: null };
    },
  });
};
