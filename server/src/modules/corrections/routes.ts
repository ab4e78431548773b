// Routes of corrections. The outside systems are asked before the command, for a preview too: only what they say makes the input. What has
// to be done on the ledger first is done only for the request itself.

import * as api from '@holdfast/contract/api/corrections.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount, parseAmount } from '../../books/money.ts';
import { pageRequest, validAmount } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import { applyCorrection } from './apply-correction.ts';
import type { Correction } from './correction.ts';
import { type CorrectionRequest, doesNotFit, type Kinds } from './kind.ts';
import { presentCorrection } from './present.ts';
import type { CorrectionReads } from './queries.ts';

type Parts = { readonly kinds: Kinds; readonly reads: CorrectionReads };

type Ended = {
  readonly data: Pick<Correction, 'kind' | 'resourceId' | 'currency'> & {
    readonly amount: string | null;
    readonly before: object;
  };
  readonly approved: { readonly amount: Amount | null; readonly currency: string | null };
};

/** The facts may change while the request waits. The approver agreed to one amount. */
const requireApproved = ({ data, approved }: Ended): void => {
  const moves = data.amount === null ? null : parseAmount(data.amount);
  if (moves === approved.amount && (moves === null || data.currency === approved.currency)) return;
  const was = approved.amount === null ? 'no money' : `${formatAmount(approved.amount)} ${approved.currency}`;
  const now = moves === null ? 'no money' : `${data.amount} ${data.currency}`;
  const message = `The approved correction moved ${was}, and would move ${now} now. Nothing was changed. Send the correction again.`;
  throw doesNotFit({ kind: data.kind, resourceId: data.resourceId, message, facts: { ...data.before } });
};

type Body = Pick<CorrectionRequest, 'kind' | 'resourceId' | 'reason'> & { readonly amount?: string };

const requestOf = ({ kind, resourceId, reason, amount }: Body): CorrectionRequest => ({
  kind,
  resourceId,
  reason,
  amount: amount === undefined ? null : validAmount(amount),
});

export const correctionRoutes = ({ kinds, reads }: Parts): Route[] => [
  write(api.createCorrection, {
    command: applyCorrection(kinds),
    async input({ body, context, caller }) {
      const request = requestOf(body);
      const seen = await kinds[body.kind].look(context, request);
      await kinds[body.kind].prepare?.(context, { request, seen });
      return { request, seen, byName: caller.keyName };
    },
    preview: {
      async input({ body, context, caller }) {
        const request = requestOf(body);
        return { request, seen: await kinds[body.kind].look(context, request), byName: caller.keyName };
      },
    },
    present: presentCorrection,
    approval: {
      actions: ['correction'],
      weighPreview: ({ data: { amount, currency, orderId } }) => ({
        action: 'correction',
        // Rules count amounts above zero.
        amount: amount === null ? null : parseAmount(amount),
        currency,
        orderId,
      }),
      confirm: requireApproved,
    },
  }),
  list(api.listCorrections, async ({ query, context }) => {
    const page = await reads.list(pageRequest('correction', { query, context }));
    return { items: page.rows.map(presentCorrection), nextCursor: page.nextCursor };
  }),
  read(api.getCorrection, async ({ params: { id }, context: { marketplaceId } }) => {
    const correction = await reads.find(marketplaceId, id);
    if (!correction) throw new DomainError('CORRECTION_NOT_FOUND');
    return presentCorrection(correction);
  }),
];
