// The operator adds money at the payment provider, or takes it out there, and has it booked. The provider's balance decides: it is
// compared with all books twice before the command, and again when another booking or a payment came between.

import { runCommand, type Submit } from '../../commit/command.ts';
import { bookOwnMoney, type ProviderFigures } from './book-own-money.ts';
import { floatUnread } from './float.ts';
import { commonDifference, type FloatComparison } from './float-balance.ts';
import { FLOAT_OPENING, type OpenFloat } from './open-float.ts';
import type { FloatReads, PlacedTransfer } from './queries.ts';
import type { Allotment } from './transfers.ts';

type Options = {
  readonly submit: Submit;
  readonly openFloat: OpenFloat;
  readonly reads: Pick<FloatReads, 'countBookings'>;
  /** Null when no comparison is possible now. */
  compare(): Promise<FloatComparison | null>;
};

const TRIES = 5;

export const createOwnMoney = ({ submit, openFloat, reads, compare }: Options) => {
  /** Null when the two comparisons contradict each other: something was booked or paid between them. */
  const readProvider = async (): Promise<ProviderFigures | null> => {
    const before = await compare();
    const after = before && (await compare());
    if (!before || !after) throw floatUnread();
    const difference = commonDifference(before, after);
    return difference === null ? null : { balance: after.actual, booked: after.booked, difference };
  };

  return {
    async bookOwn({ context, amount, requestKey }: Omit<Allotment, 'marketplaceId'>): Promise<PlacedTransfer> {
      const { marketplaceId } = FLOAT_OPENING;
      if (!(await openFloat())) throw floatUnread();
      for (let tries = 0; tries < TRIES; tries++) {
        // Before the comparison, so that a booking which the comparison did not see has this number.
        const number = (await reads.countBookings()) + 1;
        const provider = await readProvider();
        if (!provider) continue;
        const transfer = await runCommand(submit, {
          command: bookOwnMoney,
          input: { amount, provider, number, requestKey },
          context: { ...context, marketplaceId },
        });
        if (transfer) return { marketplaceId, transfer };
      }
      throw floatUnread();
    },
  };
};

export type OwnMoney = ReturnType<typeof createOwnMoney>;
