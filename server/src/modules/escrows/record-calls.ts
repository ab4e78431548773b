// Records calls that the provider shows and that our rows do not have: from now on they count as done.

import { command } from '../../commit/command.ts';
import { callKey, type DoneCall, isCalled } from './escrow.ts';
import { putEscrow } from './escrow-work.ts';

type RecordInput = { readonly escrowId: string; readonly calls: readonly DoneCall[] };

export const recordCalls = command<RecordInput, void>({
  name: 'note-calls',
  needs: ({ escrowId }) => ({ rows: [{ table: 'escrows', id: escrowId }] }),
  decide({ escrowId, calls }, work) {
    const escrow = work.get('escrows', escrowId);
    const fresh = calls.filter((call) => !isCalled(escrow, call));
    if (fresh.length === 0) return;
    putEscrow(work, escrow, { calls: [...escrow.calls, ...fresh] });
    work.audit({
      action: 'ESCROW_STEP_SEEN',
      resourceType: 'Escrow',
      resourceId: escrowId,
      after: { calls: fresh.map(callKey) },
    });
  },
});
