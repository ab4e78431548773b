// A credit by hand whose reference is a top-up that ended without being paid. It is the correction of a payment that comes late, so such a
// payment is not credited a second time, whatever LATE_TOPUPS says. Every other credit is as before.

import { idPattern } from '@holdfast/contract/ids.ts';
import { formatAmount } from '../../books/money.ts';
import { type Command, command, type Need, type UnitOfWork } from '../../commit/command.ts';
import { creditBalance } from '../balances/adjust-balance.ts';
import { isUnpaid } from './late-topup.ts';

type InputOf<Of> = Of extends Command<infer Input, unknown> ? Input : never;
type Credit = InputOf<typeof creditBalance>;

const TOPUP_ID = new RegExp(idPattern('topup'));

const topUpNeeds = ({ reference }: Credit): Need[] =>
  TOPUP_ID.test(reference ?? '') ? [{ table: 'topups', id: reference ?? '' }] : [];

const correct = (work: UnitOfWork, { userId, currency, amount, reference }: Credit): void => {
  const topup = work.find('topups', reference ?? '');
  if (topup?.userId !== userId || topup.currency !== currency) return;
  if (!isUnpaid(topup) || topup.correctedAt !== null) return;
  // No reply shows the correction, so updatedAt stays.
  work.put('topups', { ...topup, correctedAt: work.now });
  work.audit({
    action: 'TOPUP_CORRECTED',
    resourceType: 'TopUp',
    resourceId: topup.id,
    userId,
    before: { correctedAt: null },
    after: { correctedAt: work.now, credited: formatAmount(amount), currency },
  });
};

export const creditByHand: typeof creditBalance = command({
  ...creditBalance,
  needs(input) {
    const { rows = [], ...others } = creditBalance.needs(input);
    return { ...others, rows: [...rows, ...topUpNeeds(input)] };
  },
  decide(input, work) {
    const balance = creditBalance.decide(input, work);
    if (topUpNeeds(input).length > 0) correct(work, input);
    return balance;
  },
});
