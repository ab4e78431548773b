// Records who requested the cancellation of a top-up, before the provider is called. The process that receives the report of the
// cancellation reads the requester from the row. The state of the top-up stays unchanged.

import { step } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { TOPUP_MACHINE } from './machine.ts';
import type { TopUp } from './topup.ts';

export const requestTopUpCancel = command<{ readonly topupId: string; readonly reason: string | null }, TopUp>({
  name: 'ask-topup-cancel',
  needs: ({ topupId }) => ({ rows: [{ table: 'topups', id: topupId }] }),
  decide({ topupId, reason }, work) {
    const topup = work.get('topups', topupId);
    const { status, userId } = topup;
    step(TOPUP_MACHINE, { from: status, on: 'cancel' });
    const requested: TopUp = { ...topup, cancelAsk: { by: work.context.actor.id, reason }, updatedAt: work.now };
    work.put('topups', requested);
    work.audit({
      action: 'TOPUP_CANCEL_REQUESTED',
      resourceType: 'TopUp',
      resourceId: topupId,
      userId,
      before: { status },
      after: { status, reason },
    });
    return requested;
  },
});
