// Sets how far below zero the operator lets the float of a marketplace go.

import { type Amount, formatAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { changeFloat, FLOAT_CURRENCY, FLOAT_NEEDS, type FloatFigures, floatOf } from './float.ts';

/** The float as a preview has left it. */
export const readFloat = command<null, FloatFigures>({
  name: 'read-float',
  needs: () => FLOAT_NEEDS,
  decide: (_, work) => floatOf(work),
});

export const setCreditLine = command<{ readonly amount: Amount }, FloatFigures>({
  name: 'set-credit-line',
  needs: () => FLOAT_NEEDS,
  decide({ amount }, work) {
    const before = floatOf(work);
    if (before.creditLine === amount) return before;
    changeFloat(work, { creditLine: amount });
    work.audit({
      action: 'CREDIT_LINE_SET',
      resourceType: 'PaymentFloat',
      resourceId: FLOAT_CURRENCY,
      before: { creditLine: formatAmount(before.creditLine) },
      after: { creditLine: formatAmount(amount), currency: FLOAT_CURRENCY },
    });
    return floatOf(work);
  },
});
