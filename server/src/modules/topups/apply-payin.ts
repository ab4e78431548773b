// Applies what the payment provider reports about a top-up: an answer, a webhook or a poll. The stored row decides, so a success
// that is reported several times credits the user once.

import { command, type UnitOfWork } from '../../commit/command.ts';
import { isDuplicate, type ReceivedEvent, storeEvent } from '../webhooks/record-webhook.ts';
import { TOPUP_MACHINE, TOPUP_TRIGGERS } from './machine.ts';
import { mismatchOf, type PayinUpdate } from './payin-update.ts';
import { isEnded, type TopUp } from './topup.ts';
import { moveTopUp, recordFee, topUpNeedsNext } from './topup-work.ts';

type ApplyInput = {
  readonly topupId: string;
  readonly update: PayinUpdate;
  /** The webhook that carried the update; stored in the same commit. */
  readonly webhook?: ReceivedEvent;
};

export type AppliedPayin = {
  readonly topup: TopUp;
  /** `out-of-order`: the top-up is in a state that the update cannot follow. `mismatch`: the update is about another payment. */
  readonly outcome: 'applied' | 'unchanged' | 'out-of-order' | 'duplicate' | 'mismatch';
  /** Why the update is about another payment. */
  readonly reason?: string;
};

const applyToEnded = (work: UnitOfWork, topup: TopUp, update: PayinUpdate): AppliedPayin => {
  const withFee = recordFee(work, topup, update);
  if (withFee) return { topup: withFee, outcome: 'applied' };
  return { topup, outcome: topup.status === update.status ? 'unchanged' : 'out-of-order' };
};

const applyUpdate = (work: UnitOfWork, topup: TopUp, update: PayinUpdate): AppliedPayin => {
  if (isEnded(topup)) return applyToEnded(work, topup, update);
  const reason = mismatchOf(topup, update);
  if (reason !== null) return { topup, outcome: 'mismatch', reason };
  if (topup.status === update.status) return { topup, outcome: 'unchanged' };
  const on = TOPUP_TRIGGERS[update.status];
  const row = TOPUP_MACHINE.rows.find((each) => each.from === topup.status && each.on === on);
  if (!row) return { topup, outcome: 'out-of-order' };
  // A webhook does not contain the payer's URL. The answer to the creation does, and so does the next poll.
  if (update.status === 'TOPUP_AWAITING_USER_CONFIRMATION' && update.confirmationUri === null) {
    return { topup, outcome: 'unchanged' };
  }
  return { topup: moveTopUp(work, topup, { row, update }), outcome: 'applied' };
};

export const applyPayin = command<ApplyInput, AppliedPayin>({
  name: 'take-payin',
  needs: ({ topupId, webhook }) => ({
    rows: [{ table: 'topups', id: topupId }, ...(webhook ? [{ table: 'webhookEvents', id: webhook.id } as const] : [])],
  }),
  needsNext: ({ topupId }, work) => topUpNeedsNext(work, topupId),
  decide({ topupId, update, webhook }, work) {
    const topup = work.get('topups', topupId);
    if (webhook && isDuplicate(work.find('webhookEvents', webhook.id), webhook)) return { topup, outcome: 'duplicate' };
    const applied = applyUpdate(work, topup, update);
    if (webhook) storeEvent(work, webhook, applied.reason ?? null);
    return applied;
  },
});
