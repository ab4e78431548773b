// Takes in what the payment provider says about a withdrawal, whichever way it was heard: an answer, a webhook, a look. The
// stored row decides, so however many tell of the same payment the money leaves the reserved balance once, or goes back once.

import { command, type UnitOfWork } from '../../commit/command.ts';
import { isDuplicate, type ReceivedEvent, storeEvent } from '../webhooks/record-webhook.ts';
import { PAYOUT_TRIGGERS, WITHDRAWAL_MACHINE } from './machine.ts';
import { misfitOf, type PayoutNews } from './payout-update.ts';
import { isEnded, isUnderWay, type Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal } from './withdrawal-work.ts';

type TakeInput = {
  readonly withdrawalId: string;
  readonly news: PayoutNews;
  /** Where a webhook told it: kept in the same commit. */
  readonly told?: ReceivedEvent;
};

export type TakenPayout = {
  readonly withdrawal: Withdrawal;
  /** `out-of-order`: it has gone further than, or elsewhere from, what is told. `mismatch`: it is about something else. */
  readonly outcome: 'applied' | 'unchanged' | 'out-of-order' | 'duplicate' | 'mismatch';
  /** Why it does not fit. */
  readonly reason?: string;
};

const PROVIDER = 'payment-provider';

/** From now on it is looked up by the provider's own id. Of one that is not committed it cannot have any yet. */
const notePayout = (work: UnitOfWork, withdrawal: Withdrawal, { payoutId }: PayoutNews): Withdrawal => {
  if (payoutId === null || withdrawal.providerPayoutId !== null || !isUnderWay(withdrawal)) return withdrawal;
  const noted: Withdrawal = { ...withdrawal, providerPayoutId: payoutId, updatedAt: work.now };
  work.put('withdrawals', noted);
  work.audit({
    action: 'WITHDRAWAL_PAYOUT_MADE',
    resourceType: 'Withdrawal',
    resourceId: withdrawal.id,
    userId: withdrawal.userId,
    before: { providerPayoutId: null },
    after: { status: withdrawal.status, providerPayoutId: payoutId },
  });
  return noted;
};

/** One that we took back ourselves has not been cancelled but has failed, for the reason that we had. */
const meantBy = ({ refusal }: Withdrawal, news: PayoutNews): PayoutNews => {
  if (refusal === null || news.status !== 'WITHDRAWAL_CANCELED') return news;
  return { ...news, status: 'WITHDRAWAL_FAILED', reason: refusal.reason, errorCode: refusal.code };
};

const settle = (work: UnitOfWork, withdrawal: Withdrawal, told: PayoutNews): TakenPayout => {
  const news = meantBy(withdrawal, told);
  const { status } = news;
  if (isEnded(withdrawal)) {
    return { withdrawal, outcome: withdrawal.status === status ? 'unchanged' : 'out-of-order' };
  }
  const reason = misfitOf(withdrawal, news);
  if (reason !== null) return { withdrawal, outcome: 'mismatch', reason };
  const on = PAYOUT_TRIGGERS[status];
  const row = WITHDRAWAL_MACHINE.rows.find((each) => each.from === withdrawal.status && each.on === on);
  if (row && status !== 'WITHDRAWAL_CREATED') {
    const { payoutId, reason: why, errorCode: code, actionUrl } = news;
    const by = status === 'WITHDRAWAL_CANCELED' ? { canceledBy: PROVIDER } : {};
    const moved = moveWithdrawal(work, withdrawal, { status, payoutId, reason: why, code, actionUrl, ...by });
    return { withdrawal: moved, outcome: 'applied' };
  }
  const noted = notePayout(work, withdrawal, news);
  if (noted !== withdrawal) return { withdrawal: noted, outcome: 'applied' };
  const isExpected = status === withdrawal.status || status === 'WITHDRAWAL_CREATED';
  return { withdrawal, outcome: isExpected ? 'unchanged' : 'out-of-order' };
};

export const takePayout = command<TakeInput, TakenPayout>({
  name: 'take-payout',
  needs: ({ withdrawalId, told }) => ({
    rows: [
      { table: 'withdrawals', id: withdrawalId },
      ...(told ? [{ table: 'webhookEvents', id: told.id } as const] : []),
    ],
  }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId, news, told }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    if (told && isDuplicate(work.find('webhookEvents', told.id), told)) return { withdrawal, outcome: 'duplicate' };
    const taken = settle(work, withdrawal, news);
    if (told) storeEvent(work, told, taken.reason ?? null);
    return taken;
  },
});
