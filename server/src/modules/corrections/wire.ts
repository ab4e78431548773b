// Wires corrections: what each kind asks, and the routes. It decides nothing.

import type pg from 'pg';
import type { ReactionHandlers } from '../../commit/reactions.ts';
import type { Route } from '../../http/route.ts';
import type { Adoption } from '../../ledger/adoption/adoption.ts';
import type { LedgerNetwork, PaymentAccounts } from '../../providers/ports.ts';
import type { Providers } from '../../providers/providers.ts';
import type { FindOrder } from '../operations/operation-context.ts';
import { createTopUpReads } from '../topups/queries.ts';
import { createContractReads } from './contract-reads.ts';
import type { Kinds } from './kind.ts';
import { adoptContractState } from './kinds/adopt-contract-state.ts';
import { cancelUnfundedOrder } from './kinds/cancel-unfunded-order.ts';
import { creditLateTopUp } from './kinds/credit-late-topup.ts';
import { settleShortFunding } from './kinds/settle-short-funding.ts';
import { createCorrectionReads } from './queries.ts';
import { correctionRoutes } from './routes.ts';

type Options = {
  readonly pool: pg.Pool;
  readonly providers: Pick<Providers, 'escrow' | 'asset'>;
  readonly credentials: { readonly accounts: PaymentAccounts };
  readonly ledger: {
    readonly network: LedgerNetwork;
    readonly sender: { readonly adoption: Pick<Adoption, 'adopt'> };
  };
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly orders: { readonly reads: { readonly find: FindOrder } };
};

export const wireCorrections = ({ pool, providers, ...options }: Options): { readonly routes: readonly Route[] } => {
  const { accounts } = options.credentials;
  const reads = createCorrectionReads(pool);
  const findOrder = options.orders.reads.find;
  const { network, sender } = options.ledger;
  // The adoption reports its own failures. The next transaction of the wallet would adopt them too.
  options.reactions.on('wallets-behind', ({ addresses }, { marketplaceId }) => {
    for (const source of addresses) void sender.adoption.adopt({ marketplaceId, source });
  });
  const contracts = createContractReads({ escrow: providers.escrow, network, usdc: providers.asset });
  const kinds: Kinds = {
    'cancel-unfunded-order': cancelUnfundedOrder({ findOrder, reads, contracts }),
    'adopt-contract-state': adoptContractState({ findOrder, contracts }),
    'settle-short-funding': settleShortFunding({ findOrder, contracts }),
    'credit-late-topup': creditLateTopUp({ topups: createTopUpReads(pool), accounts }),
  };
  return { routes: correctionRoutes({ kinds, reads }) };
};
