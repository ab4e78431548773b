// Top-up routes. The callback is the only route without authentication: it polls the payment provider at most once in a few
// seconds per top-up, however often it is called.

import * as api from '@holdfast/contract/api/topups.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Context } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { memoryLimiter } from '../../http/rate-limit.ts';
import { act, list, type Route, raw, read } from '../../http/route.ts';
import type { Log } from '../../observability/logs.ts';
import { topUpInput, topUpRules } from './create-topup.ts';
import type { TopUps } from './operations.ts';
import { payerUrl, presentTopUp, topUpPage } from './present.ts';
import type { TopUpPreviews } from './preview-topup.ts';
import type { PlacedTopUp, TopUpReads } from './queries.ts';
import { isEnded, type TopUp } from './topup.ts';

type Parts = {
  readonly reads: Pick<TopUpReads, 'find' | 'list' | 'findAnywhere'>;
  readonly topUps: Pick<TopUps, 'create' | 'refresh' | 'cancel'>;
  readonly previews: TopUpPreviews;
  readonly config: Pick<Config, 'money' | 'idempotency'>;
  /** Counts the top-ups of a user, and refuses with RATE_LIMITED when there are too many. */
  count(context: Context, userId: string): Promise<void>;
  /** The same without counting, for a preview. */
  checkCount(context: Context, userId: string): Promise<void>;
  readonly log: Pick<Log, 'warn'>;
};

const BETWEEN_POLLS_MS = 5_000;
const HTML = { 'content-type': 'text/html; charset=utf-8' };

export const topUpRoutes = ({ reads, topUps, previews, config, count, checkCount, log }: Parts): Route[] => {
  const rules = topUpRules(config);
  const polls = memoryLimiter({ windowMs: BETWEEN_POLLS_MS, now: Date.now });

  const get = async ({ marketplaceId }: Context, id: string): Promise<TopUp> => {
    const topup = await reads.find(marketplaceId, id);
    if (!topup) throw new DomainError('TOPUP_NOT_FOUND');
    return topup;
  };

  /** The refreshed top-up; the stored one when the provider cannot be read, because the payer waits for the page. */
  const refreshed = async ({ marketplaceId, topup }: PlacedTopUp, requestId: string): Promise<TopUp> => {
    if (isEnded(topup) || !polls.take(topup.id, 1).allowed) return topup;
    const context = { marketplaceId, actor: { type: 'system', id: 'topup-callback' }, requestId } as const;
    return topUps.refresh(context, topup).catch((error: unknown) => {
      log.warn({ requestId, err: error }, 'a top-up could not be refreshed for its payer');
      return topup;
    });
  };

  return [
    act(api.createTopup, {
      async answer({ body, context, requestKey }) {
        const input = topUpInput(body, rules);
        await count(context, input.userId);
        const keyed = requestKey === null ? null : { hash: requestKey, retentionMs: config.idempotency.retentionMs };
        return presentTopUp(await topUps.create({ ...input, requestKey: keyed, context }));
      },
      async preview({ body, context }, preview) {
        const input = topUpInput(body, rules);
        await checkCount(context, input.userId);
        return presentTopUp(await previews.create(preview, { ...input, requestKey: null }));
      },
    }),
    list(api.listTopups, async ({ query, context }) => {
      const page = await reads.list(pageRequest('topup', { query, context }));
      return { items: page.rows.map(presentTopUp), nextCursor: page.nextCursor };
    }),
    read(api.getTopup, async ({ params, context }) => presentTopUp(await get(context, params.id))),
    act(api.refreshTopup, async ({ params, context }) =>
      presentTopUp(await topUps.refresh(context, await get(context, params.id))),
    ),
    act(api.cancelTopup, {
      answer: async ({ params: { id }, body: { reason = null }, context }) =>
        presentTopUp(await topUps.cancel(context, { topupId: id, reason })),
      preview: async ({ params: { id }, body: { reason = null } }, preview) =>
        presentTopUp(await previews.cancel(preview, { topupId: id, reason })),
    }),
    raw(api.followTopup, async ({ params, requestId }, { open }) => {
      const placed = await reads.findAnywhere(params.id);
      if (!placed) throw new DomainError('TOPUP_NOT_FOUND');
      const topup = await refreshed(placed, requestId);
      const location = payerUrl(topup);
      if (location === null) open(200, HTML).end(topUpPage(topup));
      else open(302, { location }).end();
    }),
  ];
};
