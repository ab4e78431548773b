// Says no to payments that wait for the treasury, because it cannot pay them. What is on its way is not touched.

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
