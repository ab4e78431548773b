// Routes of marketplaces and their float. Only the master key may call them.

import * as api from '@holdfast/contract/api/marketplaces.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, negated } from '../../books/money.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { amountOrZero, badCursor, validAmount } from '../../http/checked-values.ts';
import { act, list, type Route, read } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { OwnMoney } from '../float/own-money.ts';
import type { FloatPreviews } from '../float/preview-float.ts';
import type { FloatReads } from '../float/queries.ts';
import { readFloat, setCreditLine } from '../float/set-credit-line.ts';
import type { FloatTransfers } from '../float/transfers.ts';
import type { ShownLimits } from '../limits/shown-limits.ts';
import { presentMarketplace, presentTransfer } from './present.ts';
import type { MarketplaceReads, MarketplaceRecord } from './queries.ts';

type Parts = {
  readonly submit: Submit;
  readonly marketplaces: MarketplaceReads;
  readonly float: Pick<FloatReads, 'figures'> &
    Pick<FloatTransfers, 'allot'> &
    Pick<FloatPreviews, 'transfersIn'> &
    OwnMoney;
  readonly limits: Pick<ShownLimits, 'list'>;
  /** For how long a request with the same Idempotency-Key is a repeat. */
  readonly retentionMs: number;
};

/** A negative amount has a minus sign before it. */
const signedAmount = (text: string): Amount =>
  text.startsWith('-') ? negated(validAmount(text.slice(1))) : validAmount(text);

const lineAmount = (text: string): Amount => {
  const amount = amountOrZero(text);
  if (amount !== null) return amount;
  throw new DomainError('INVALID_AMOUNT', {
    message: 'The credit line must be a decimal string of at least 0.00 with at most two places.',
    details: { amount: text },
  });
};

const ownFloatUnknown = (): DomainError =>
  validationError([
    "The operator's own float has no preview, and nothing was changed: the balance at the payment provider decides.",
  ]);

export const marketplaceRoutes = ({ submit, marketplaces, float, limits, retentionMs }: Parts): Route[] => {
  const get = async (id: string): Promise<MarketplaceRecord> => {
    const found = await marketplaces.find(id);
    if (!found) throw new DomainError('MARKETPLACE_NOT_FOUND');
    return found;
  };

  const floatOf = async (id: string) => (await float.figures([id])).get(id)!;

  /** As many reads for one marketplace as for a page of them. */
  const shown = async (records: readonly MarketplaceRecord[]) => {
    const ids = records.map(({ id }) => id);
    const floats = await float.figures(ids);
    const limitsOf = await limits.list(ids);
    return records.map((record) =>
      presentMarketplace({ record, float: floats.get(record.id)!, limits: limitsOf(record.id) }),
    );
  };

  const setLine = async (to: Submit, { id, text, context }: { id: string; text: string; context: Context }) => {
    const amount = lineAmount(text);
    const record = await get(id);
    const line = { command: setCreditLine, input: { amount }, context: { ...context, marketplaceId: id } };
    const figures = await runCommand(to, line);
    return presentMarketplace({ record, float: figures, limits: (await limits.list([id]))(id) });
  };

  return [
    list(api.listMarketplaces, async ({ query }) => {
      const limit = query.limit ?? LIMITS.pageSizeDefault;
      const page = await marketplaces.list({ limit, cursor: query.cursor ?? null });
      if (!page) throw badCursor();
      return { items: await shown(page.rows), nextCursor: page.nextCursor };
    }),
    read(api.getMarketplace, async ({ params: { id } }) => (await shown([await get(id)]))[0]!),
    act(api.allotFloat, {
      async answer({ params: { id }, body, context, requestKey }) {
        const amount = signedAmount(body.amount);
        if (id !== DEFAULT_MARKETPLACE) await get(id);
        const asked = { context, amount, requestKey: requestKey === null ? null : { hash: requestKey, retentionMs } };
        // The operator's own float comes from outside: from money at the provider that no payment explains.
        const isOwn = id === DEFAULT_MARKETPLACE;
        const placed = await (isOwn ? float.bookOwn(asked) : float.allot({ ...asked, marketplaceId: id }));
        return presentTransfer(placed, await floatOf(id));
      },
      async preview({ params: { id }, body, context }, preview) {
        const amount = signedAmount(body.amount);
        if (id === DEFAULT_MARKETPLACE) throw ownFloatUnknown();
        await get(id);
        const asked = { context, amount, requestKey: null, marketplaceId: id };
        const placed = await float.transfersIn(preview).allot(asked);
        const place = { ...context, marketplaceId: id };
        return presentTransfer(placed, await preview.run({ command: readFloat, input: null, context: place }));
      },
    }),
    act(api.setCreditLine, {
      answer: ({ params, body, context }) => setLine(submit, { id: params.id, text: body.amount, context }),
      preview: ({ params, body, context }, preview) =>
        setLine(preview.submit, { id: params.id, text: body.amount, context }),
    }),
  ];
};
