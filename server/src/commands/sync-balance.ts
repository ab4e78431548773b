// Compares a stored balance with where the money is. As long as no wallet stands behind it, the books are the only
// witness, so there is never a difference; that it was asked for is audited all the same.

import type { Balance } from '../domain/balance.ts';
import { auditedBalance, balanceOf, type Purse, purseNeeds } from './books.ts';
import { command } from './command.ts';

export const syncBalance = command<Purse, { previous: Balance; current: Balance }>({
  name: 'sync-balance',
  needs: (input) => purseNeeds(input, []),
  decide(input, desk) {
    const balance = balanceOf(desk, input);
    desk.audit({
      action: 'BALANCE_SYNCED',
      resourceType: 'Balance',
      resourceId: input.userId,
      before: auditedBalance(balance),
      after: auditedBalance(balance),
    });
    return { previous: balance, current: balance };
  },
});
