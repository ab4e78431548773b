// Books what lies at the payment provider before our first payment there as the operator's, once in the whole deployment.
// From then on the books say what the provider's balance must be.

import { type Amount, formatAmount, ZERO } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { accountsOf, move } from '../../commit/money.ts';
import { FLOAT_OPENING } from './float-opening.ts';

const { id, currency } = FLOAT_OPENING;

/** Answers whether it was this one. */
export const adoptFloat = command<{ readonly amount: Amount }, boolean>({
  name: 'adopt-float',
  needs: () => ({
    rows: [{ table: 'floatOpenings', id }],
    accounts: accountsOf('float_opening', { currency }),
  }),
  decide({ amount }, work) {
    if (work.find('floatOpenings', id)) return false;
    work.put('floatOpenings', { id, amount, createdAt: work.now });
    if (amount > ZERO) move(work, 'float_opening', { currency, amount, reference: id });
    work.audit({
      action: 'FLOAT_ADOPTED',
      resourceType: 'PaymentFloat',
      resourceId: id,
      after: { amount: formatAmount(amount), currency },
    });
    return true;
  },
});
