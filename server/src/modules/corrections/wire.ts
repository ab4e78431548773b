// Wires corrections: what each kind asks, and the routes. It decides nothing.

import type pg from 'pg';
import type { Route } from '../../http/route.ts';
import type { PaymentAccounts } from '../../providers/ports.ts';
import { createTopUpReads } from '../topups/queries.ts';
import type { Kinds } from './kind.ts';
import { creditLateTopUp } from './kinds/credit-late-topup.ts';
import { createCorrectionReads } from './queries.ts';
import { correctionRoutes } from './routes.ts';

type Options = {
  readonly pool: pg.Pool;
  readonly credentials: { readonly accounts: PaymentAccounts };
};

export const wireCorrections = ({
  pool,
  credentials: { accounts },
}: Options): { readonly routes: readonly Route[] } => {
  const kinds: Kinds = {
    'credit-late-topup': creditLateTopUp({ topups: createTopUpReads(pool), accounts }),
  };
  return { routes: correctionRoutes({ kinds, reads: createCorrectionReads(pool) }) };
};
