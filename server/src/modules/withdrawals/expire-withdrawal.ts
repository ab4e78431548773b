// Cancels a withdrawal that was not committed in time. No outside system knows it, so its money can go back.

import { parseInstant } from '../../base/instant.ts';
import { command } from '../../commit/command.ts';
import { findWithdrawalRow } from './machine.ts';
import type { Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal } from './withdrawal-work.ts';

type ExpireInput = { readonly withdrawalId: string; readonly expiryMs: number };

const isOver = ({ createdAt }: Withdrawal, { now, expiryMs }: { now: string; expiryMs: number }): boolean =>
  (parseInstant(now) ?? 0) >= (parseInstant(createdAt) ?? 0) + expiryMs * 1_000;

/** A withdrawal that is committed or has ended is returned as it is. */
export const expireWithdrawal = command<ExpireInput, Withdrawal>({
  name: 'expire-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId, expiryMs }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    const row = findWithdrawalRow({ from: withdrawal.status, on: 'time.over' });
    if (!row || !isOver(withdrawal, { now: work.now, expiryMs })) return withdrawal;
    return moveWithdrawal(work, withdrawal, { row, canceledBy: 'system', reason: 'It was not committed in time.' });
  },
});
