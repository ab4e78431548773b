// Refuses queued payments that the treasury cannot pay. A sent payment is not changed.

import { command } from '../../commit/command.ts';

type RefuseInput = { readonly ids: readonly string[]; readonly reason: string };

export const refuseTreasuryPayments = command<RefuseInput, { readonly refused: number }>({
  name: 'refuse-treasury-payments',
  needs: ({ ids }) => ({ rows: ids.map((id) => ({ table: 'treasuryPayments', id }) as const) }),
  decide({ ids, reason }, work) {
    let refused = 0;
    for (const id of ids) {
      const payment = work.get('treasuryPayments', id);
      if (payment.state !== 'QUEUED') continue;
      work.put('treasuryPayments', { ...payment, state: 'FAILED', failure: reason, updatedAt: work.now });
      work.audit({
        action: 'TREASURY_PAYMENT_REQUESTED',
        resourceType: 'TreasuryPayment',
        resourceId: id,
        after: { state: 'FAILED', failure: reason },
        result: 'FAILURE',
      });
      refused++;
    }
    return { refused };
  },
});
