// Wires the own payment accounts of marketplaces: routes and the clients of the accounts. It decides nothing.

import type pg from 'pg';
import type { Submit } from '../../commit/command.ts';
import { createRequireMarketplace } from '../../commit/require-marketplace.ts';
import type { Config } from '../../config/config.ts';
import type { Route } from '../../http/route.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import type { Providers } from '../../providers/providers.ts';
import { createAccountChanges } from './change-account.ts';
import { createPaymentAccounts, type OwnPaymentAccounts } from './payment-accounts.ts';
import { type CredentialReads, createCredentialReads } from './queries.ts';
import { credentialRoutes } from './routes.ts';

type Options = {
  readonly config: Config;
  readonly keeper: KeyKeeper;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly providers: Providers;
};

export type ProviderCredentialsModule = {
  readonly routes: readonly Route[];
  readonly accounts: OwnPaymentAccounts;
  readonly reads: CredentialReads;
};

export const wireProviderCredentials = (options: Options): ProviderCredentialsModule => {
  const { config, keeper, pool, submit, providers } = options;
  const { paymentUrlPerMarketplace: ownUrlAllowed, paymentCredentialsOverlapMs: overlapMs } = config.adapters;
  const reads = createCredentialReads(pool);
  const changes = createAccountChanges({ submit, providers, keeper, ownUrlAllowed });
  return {
    routes: credentialRoutes({ changes, reads, requireMarketplace: createRequireMarketplace(pool), overlapMs }),
    accounts: createPaymentAccounts({ providers, reads, keeper, overlapMs }),
    reads,
  };
};
