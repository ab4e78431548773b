// Makes one correction: its kind decides, and the record with the figures before and after is stored in the same commit.

import type { CorrectionKind } from '@holdfast/contract/states.ts';
import { formatAmount } from '../../books/money.ts';
import { type Command, command, type UnitOfWork } from '../../commit/command.ts';
import type { Correction } from './correction.ts';
import type { AnyKind, Asked, Corrected, Kinds } from './kind.ts';

export type ApplyInput = Asked<unknown> & {
  /** The name of the actor at this time. */
  readonly byName: string;
};

const record = (
  work: UnitOfWork,
  { request, byName, ...corrected }: Omit<ApplyInput, 'seen'> & Corrected,
): Correction => {
  const { kind, resourceId, reason } = request;
  const { before, after, amount, currency, orderId } = corrected;
  const { actor } = work.context;
  const correction: Correction = {
    id: work.newId('correction'),
    kind,
    resourceId,
    orderId,
    reason,
    amount,
    currency,
    before,
    after,
    by: { ...actor, name: byName },
    createdAt: work.now,
  };
  work.put('corrections', correction);
  const moved = amount === null || currency === null ? {} : { amount: formatAmount(amount), currency };
  work.emit({
    type: 'correction.applied',
    aggregateId: correction.id,
    payload: {
      correctionId: correction.id,
      kind,
      resourceId,
      reason,
      ...moved,
      ...(orderId === null ? {} : { orderId }),
      appliedBy: actor.id,
      appliedAt: work.now,
    },
  });
  work.audit({
    action: 'CORRECTION_APPLIED',
    resourceType: 'Correction',
    resourceId: correction.id,
    before,
    after: { ...after, kind, resourceId, reason, ...moved },
  });
  return correction;
};

export const applyCorrection = (kinds: Kinds): Command<ApplyInput, Correction> => {
  const of = ({ request }: ApplyInput): AnyKind => kinds[request.kind satisfies CorrectionKind];
  return command<ApplyInput, Correction>({
    name: 'apply-correction',
    needs: (input) => of(input).needs(input),
    needsNext: (input, work) => of(input).needsNext?.(input, work) ?? {},
    decide({ seen, ...input }, work) {
      return record(work, { ...input, ...of({ ...input, seen }).decide(work, { ...input, seen }) });
    },
    reactions: ({ input, reply }) => (reply === null ? [] : (of(input).reactions?.(input) ?? [])),
  });
};
