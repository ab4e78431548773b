// Books what lies at the payment provider before our first payment there as the operator's, once in the whole deployment.
// From then on the books say what the provider's balance must be.

import { FLOAT_OPENING } from '../domain/float-opening.ts';
import { type Amount, formatAmount, ZERO } from '../domain/money.ts';
import { accountsOf, move } from './books.ts';
import { command } from './command.ts';

const { id, currency } = FLOAT_OPENING;

/** Answers whether it was this one. */
export const adoptFloat = command<{ readonly amount: Amount }, boolean>({
  name: 'adopt-float',
  needs: () => ({
    rows: [{ table: 'floatOpenings', id }],
    accounts: accountsOf('float_opening', { currency }),
  }),
  decide({ amount }, desk) {
    if (desk.find('floatOpenings', id)) return false;
    desk.put('floatOpenings', { id, amount, createdAt: desk.now });
    if (amount > ZERO) move(desk, 'float_opening', { currency, amount, reference: id });
    desk.audit({
      action: 'FLOAT_ADOPTED',
      resourceType: 'PaymentFloat',
      resourceId: id,
      after: { amount: formatAmount(amount), currency },
    });
    return true;
  },
});
