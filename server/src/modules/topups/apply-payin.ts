// Takes in what the payment provider says about a top-up, whichever way it was heard: an answer, a webhook, a look. The
// stored row decides, so however many tell of the same success the user is credited once.

import { command, type UnitOfWork } from '../../commit/command.ts';
import { isDuplicate, keepEvent, type ToldEvent } from '../webhooks/record-webhook.ts';
import { TOPUP_MACHINE, TOPUP_TRIGGERS } from './machine.ts';
import { misfitOf, type PayinNews } from './payin-update.ts';
import type { TopUp } from './topup.ts';
import { isEnded } from './topup.ts';
import { moveTopUp, noteFee, topUpNeedsNext } from './topup-work.ts';

type TakeInput = {
  readonly topupId: string;
  readonly news: PayinNews;
  /** Where a webhook told it: kept in the same commit. */
  readonly told?: ToldEvent;
};

export type TakenPayin = {
  readonly topup: TopUp;
  /** `out-of-order`: it has gone further than, or elsewhere from, what is told. `misfit`: it is about something else. */
  readonly outcome: 'applied' | 'unchanged' | 'out-of-order' | 'duplicate' | 'misfit';
  /** Why it does not fit. */
  readonly reason?: string;
};

const settle = (work: UnitOfWork, topup: TopUp, news: PayinNews): TakenPayin => {
  if (isEnded(topup)) {
    const noted = noteFee(work, topup, news);
    const outcome = topup.status === news.status ? 'unchanged' : 'out-of-order';
    return noted ? { topup: noted, outcome: 'applied' } : { topup, outcome };
  }
  const reason = misfitOf(topup, news);
  if (reason !== null) return { topup, outcome: 'misfit', reason };
  if (topup.status === news.status) return { topup, outcome: 'unchanged' };
  const on = TOPUP_TRIGGERS[news.status];
  const row = TOPUP_MACHINE.rows.find((each) => each.from === topup.status && each.on === on);
  if (!row) return { topup, outcome: 'out-of-order' };
  // A webhook does not say where the payer is to go. The answer to the creation does, or the next look.
  if (news.status === 'TOPUP_AWAITING_USER_CONFIRMATION' && news.confirmationUri === null) {
    return { topup, outcome: 'unchanged' };
  }
  return { topup: moveTopUp(work, topup, news), outcome: 'applied' };
};

export const takePayin = command<TakeInput, TakenPayin>({
  name: 'take-payin',
  needs: ({ topupId, told }) => ({
    rows: [{ table: 'topups', id: topupId }, ...(told ? [{ table: 'webhookEvents', id: told.id } as const] : [])],
  }),
  needsNext: ({ topupId }, work) => topUpNeedsNext(work, topupId),
  decide({ topupId, news, told }, work) {
    const topup = work.get('topups', topupId);
    if (told && isDuplicate(work.find('webhookEvents', told.id), told)) return { topup, outcome: 'duplicate' };
    const taken = settle(work, topup, news);
    if (told) keepEvent(work, told, taken.reason ?? null);
    return taken;
  },
});
