// Withdrawal routes. A creation is one command whose answer is stored in the same commit: a repeat with the same key can never pay
// twice, not even after a crash.

import * as api from '@holdfast/contract/api/withdrawals.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Context } from '../../commit/command.ts';
import type { Preview } from '../../commit/preview/preview.ts';
import type { Config } from '../../config/config.ts';
import type { Weighed } from '../../http/approval-terms.ts';
import { pageRequest, validField } from '../../http/checked-values.ts';
import { act, list, type Route, read, write } from '../../http/route.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import type { Withdrawals } from './operations.ts';
import { presentWithdrawal } from './present.ts';
import { callsAfterCommit, type WithdrawalPreviews } from './preview-withdrawal.ts';
import type { WithdrawalReads } from './queries.ts';
import type { Withdrawal } from './withdrawal.ts';
import { type Destinations, withdrawalRequest, withdrawalRules } from './withdrawal-request.ts';

type Parts = {
  readonly reads: Pick<WithdrawalReads, 'find' | 'list'>;
  readonly withdrawals: Pick<Withdrawals, 'commit' | 'refresh'>;
  /** Refuses a destination that cannot be paid. */
  readonly destinations: Destinations;
  /** Books what the marketplace has at the payment provider. False: it is not known yet. */
  prepareFloat(marketplaceId: string): Promise<boolean>;
  readonly previews: WithdrawalPreviews;
  /** The same without outside calls. */
  readonly assumedDestinations: Destinations;
  /** The same on the snapshot of a preview. */
  previewFloat(preview: Preview, marketplaceId: string): Promise<unknown>;
  readonly config: Pick<Config, 'money'>;
  /** Counts the withdrawals of a user, and refuses with RATE_LIMITED when there are too many. */
  count(context: Context, userId: string): Promise<void>;
  /** The same without counting, for a preview. */
  checkCount(context: Context, userId: string): Promise<void>;
};

const weighWithdrawal = ({ amount, currency, userId }: ReturnType<typeof presentWithdrawal>): Weighed => ({
  action: 'withdrawal.commit',
  amount: validField(amount),
  currency,
  userId,
});

/** The body to store, with the payee that the preview has found. If another account is linked before the approval, the withdrawal is refused. */
const withPayee = <Body extends { readonly destination: object }>(body: Body, email: string | null): Body =>
  email?.includes('@') ? { ...body, destination: { ...body.destination, email } } : body;

export const withdrawalRoutes = ({ reads, withdrawals, destinations, prepareFloat, ...parts }: Parts): Route[] => {
  const { previews, assumedDestinations, previewFloat, config, count, checkCount } = parts;
  const rules = withdrawalRules(config);

  const get = async ({ marketplaceId }: Context, id: string): Promise<Withdrawal> => {
    const withdrawal = await reads.find(marketplaceId, id);
    if (!withdrawal) throw new DomainError('WITHDRAWAL_NOT_FOUND');
    return withdrawal;
  };

  return [
    write(api.createWithdrawal, {
      command: createWithdrawal,
      async input({ body, context }) {
        const request = withdrawalRequest(body, rules);
        await count(context, request.userId);
        const checked = await destinations(context.marketplaceId, request);
        // A payment over the ledger does not wait for the payment provider.
        const isFloatOpened = checked.address !== null || (await prepareFloat(context.marketplaceId));
        return { ...checked, isFloatOpened };
      },
      present: presentWithdrawal,
      preview: {
        async input({ body, context }) {
          const request = withdrawalRequest(body, rules);
          await checkCount(context, request.userId);
          return { ...(await assumedDestinations(context.marketplaceId, request)), isFloatOpened: true };
        },
        before: ({ context }, preview) => previewFloat(preview, context.marketplaceId),
        calls: callsAfterCommit,
      },
      approval: {
        actions: ['withdrawal.commit'],
        // Without `commit` the amount is only reserved.
        weighPreview: ({ data, routeRequest: { body } }) =>
          body.commit === true ? { ...weighWithdrawal(data), body: withPayee(body, data.destination.email) } : null,
      },
    }),
    list(api.listWithdrawals, async ({ query, context }) => {
      const page = await reads.list(pageRequest('withdrawal', { query, context }));
      return { items: page.rows.map(presentWithdrawal), nextCursor: page.nextCursor };
    }),
    read(api.getWithdrawal, async ({ params, context }) => presentWithdrawal(await get(context, params.id))),
    act(api.commitWithdrawal, {
      answer: async ({ params, context }) => presentWithdrawal(await withdrawals.commit(context, params.id)),
      preview: async ({ params }, preview) => presentWithdrawal(await previews.commit(preview, params.id)),
      approval: {
        actions: ['withdrawal.commit'],
        weighPreview: ({ data }) => weighWithdrawal(data),
        current: async ({ params, context }) => presentWithdrawal(await get(context, params.id)),
      },
    }),
    act(api.refreshWithdrawal, async ({ params, context }) =>
      presentWithdrawal(await withdrawals.refresh(context, await get(context, params.id))),
    ),
  ];
};
