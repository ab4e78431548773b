// Notes who wants a top-up cancelled, before the payment provider is asked: whoever hears first that it is cancelled can
// then say by whom. The top-up itself stays what it is.

import { step } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { TOPUP_MACHINE } from './machine.ts';
import type { TopUp } from './topup.ts';

export const askTopUpCancel = command<{ readonly topupId: string; readonly reason: string | null }, TopUp>({
  name: 'ask-topup-cancel',
  needs: ({ topupId }) => ({ rows: [{ table: 'topups', id: topupId }] }),
  decide({ topupId, reason }, work) {
    const topup = work.get('topups', topupId);
    const { status, userId } = topup;
    step(TOPUP_MACHINE, { from: status, on: 'cancel' });
    const asked: TopUp = { ...topup, cancelAsk: { by: work.context.actor.id, reason }, updatedAt: work.now };
    work.put('topups', asked);
    work.audit({
      action: 'TOPUP_CANCEL_REQUESTED',
      resourceType: 'TopUp',
      resourceId: topupId,
      userId,
      before: { status },
      after: { status, reason },
    });
    return asked;
  },
});
