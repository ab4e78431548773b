// Withdrawal routes. A new one is one command, whose answer is kept in the same commit: a repeat with the same key can never
// pay twice, not even after a crash.

import * as api from '@holdfast/contract/api/withdrawals.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { Context } from '../../commands/command.ts';
import { createWithdrawal } from '../../commands/create-withdrawal.ts';
import type { Config } from '../../config.ts';
import { Fault } from '../../domain/fault.ts';
import type { Withdrawal } from '../../domain/withdrawal.ts';
import type { Destinations } from '../../operations/withdrawal-destination.ts';
import type { Withdrawals } from '../../operations/withdrawals.ts';
import type { WithdrawalReads } from '../../store/reads/withdrawals.ts';
import { act, list, type Route, read, write } from '../door.ts';
import { presentWithdrawal } from '../present/withdrawal.ts';
import { checkedCursor } from './cursor.ts';
import { withdrawalAsk, withdrawalRules } from './withdrawal-body.ts';

type Parts = {
  readonly reads: Pick<WithdrawalReads, 'find' | 'list'>;
  readonly withdrawals: Pick<Withdrawals, 'commit' | 'look'>;
  /** Refuses what cannot be paid where it is to go. */
  readonly destinations: Destinations;
  readonly config: Pick<Config, 'money'>;
  /** Counts a user's withdrawals, and refuses with RATE_LIMITED when there are too many. */
  count(context: Context, userId: string): Promise<void>;
};

export const withdrawalRoutes = ({ reads, withdrawals, destinations, config, count }: Parts): Route[] => {
  const rules = withdrawalRules(config);

  const get = async ({ marketplaceId }: Context, id: string): Promise<Withdrawal> => {
    const withdrawal = await reads.find(marketplaceId, id);
    if (!withdrawal) throw new Fault('WITHDRAWAL_NOT_FOUND');
    return withdrawal;
  };

  return [
    write(api.createWithdrawal, {
      command: createWithdrawal,
      async input({ body, context }) {
        const ask = withdrawalAsk(body, rules);
        await count(context, ask.userId);
        return destinations(context.marketplaceId, ask);
      },
      present: presentWithdrawal,
    }),
    list(api.listWithdrawals, async ({ query, context }) => {
      const page = await reads.list({
        ...query,
        marketplaceId: context.marketplaceId,
        limit: query.limit ?? LIMITS.pageSizeDefault,
        cursor: checkedCursor('withdrawal', query.cursor),
      });
      return { items: page.rows.map(presentWithdrawal), nextCursor: page.nextCursor };
    }),
    read(api.getWithdrawal, async ({ params, context }) => presentWithdrawal(await get(context, params.id))),
    act(api.commitWithdrawal, async ({ params, context }) =>
      presentWithdrawal(await withdrawals.commit(context, params.id)),
    ),
    act(api.refreshWithdrawal, async ({ params, context }) =>
      presentWithdrawal(await withdrawals.look(context, await get(context, params.id))),
    ),
  ];
};
