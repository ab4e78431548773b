// Routes of the caller's balances and transactions. Every read is limited to the token's user.

import * as api from '@holdfast/contract/surface-b/balances.ts';
import type { PeopleReads } from './people/queries.ts';
import { presentTransaction } from './present-transaction.ts';
import { showNumber } from './surface/numbers.ts';
import { pageOf, pagination } from './surface/pages.ts';
import { personal, type SurfaceBRoute } from './surface/route.ts';

type Parts = { readonly people: Pick<PeopleReads, 'holdings' | 'changes'> };

export const balanceRoutes = ({ people }: Parts): SurfaceBRoute[] => [
  personal(api.getBalances, async ({ userId, context: { marketplaceId } }) => ({
    balances: (await people.holdings({ marketplaceId, userId })).map(({ currency, available, held }) => ({
      currency,
      available: showNumber(available),
      held: showNumber(held),
    })),
  })),

  personal(api.listTransactions, async ({ userId, query, context: { marketplaceId } }) => {
    const page = pageOf(query);
    const { rows, total } = await people.changes({ marketplaceId, userId, currency: query.currency, ...page });
    return { transactions: rows.map(presentTransaction), pagination: pagination(page, total) };
  }),
];
