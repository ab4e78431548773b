// Gives a user money by hand; the counterpart is the operator's adjustments.

import type { Balance } from '../domain/balance.ts';
import { formatAmount } from '../domain/money.ts';
import { auditedBalance, availableChange, balanceOf, move, purseNeeds, type Transfer } from './books.ts';
import { command } from './command.ts';

export const creditBalance = command<Transfer, Balance>({
  name: 'credit-balance',
  needs: (input) => purseNeeds(input, ['credit']),
  decide(input, desk) {
    const { userId, currency, amount, reference } = input;
    const before = balanceOf(desk, input);
    move(desk, 'credit', input);
    const after = balanceOf(desk, input);
    desk.emit(
      'balance.credited',
      userId,
      {
        userId,
        amount: formatAmount(amount),
        currency,
        source: 'manual',
        ...(reference ? { sourceId: reference } : {}),
        ...availableChange(before, after),
      },
      { userId },
    );
    desk.audit({
      action: 'BALANCE_CREDITED',
      resourceType: 'Balance',
      resourceId: userId,
      before: auditedBalance(before),
      after: { ...auditedBalance(after), amount: formatAmount(amount), reference: reference ?? null },
    });
    return after;
  },
});
