// Cancels a withdrawal that nobody has committed in time: nobody outside has heard of it, so its money can go back.

import { parseInstant } from '../../base/instant.ts';
import { command } from '../../commit/command.ts';
import { WITHDRAWAL_MACHINE } from './machine.ts';
import type { Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal } from './withdrawal-work.ts';

type ExpireInput = { readonly withdrawalId: string; readonly expiryMs: number };

const isOver = ({ createdAt }: Withdrawal, { now, expiryMs }: { now: string; expiryMs: number }): boolean =>
  (parseInstant(now) ?? 0) >= (parseInstant(createdAt) ?? 0) + expiryMs * 1_000;

/** One that was committed meanwhile, or has ended, is answered as it is. */
export const expireWithdrawal = command<ExpireInput, Withdrawal>({
  name: 'expire-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId, expiryMs }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    const { status: from } = withdrawal;
    const row = WITHDRAWAL_MACHINE.rows.find((each) => each.from === from && each.on === 'time.over');
    if (!row || !isOver(withdrawal, { now: work.now, expiryMs })) return withdrawal;
    const reason = 'It was not committed in time.';
    return moveWithdrawal(work, withdrawal, { status: 'WITHDRAWAL_CANCELED', canceledBy: 'system', reason });
  },
});
