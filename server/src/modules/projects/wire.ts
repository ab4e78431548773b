// Puts Surface B together: its people and their tokens, its routes over the same commands and books, and the job that continues
// interrupted setups of escrows. Like compose.ts it decides nothing.

import type pg from 'pg';
import { systemClock } from '../../base/instant.ts';
import type { Submit } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import { servesSurfaceB } from '../../config/reach.ts';
import type { Secrets } from '../../config/secrets.ts';
import type { CompanionSurface } from '../../http/companion.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { LedgerModule } from '../../ledger/wire.ts';
import type { ApprovalsModule } from '../approvals/wire.ts';
import type { EscrowOperations } from '../escrows/operations/escrow-operations.ts';
import { orderRules } from '../orders/order-body.ts';
import type { OrderReads } from '../orders/queries.ts';
import { clearLoginAttempts, createGuesses, createLoginAttempts } from '../passwords/login-attempts.ts';
import { createLogins } from '../passwords/logins.ts';
import { createPasswords } from '../passwords/passwords.ts';
import { escrowRoutes } from './escrow-routes.ts';
import { createPeopleTokens } from './people/people-tokens.ts';
import { createPeopleReads } from './people/queries.ts';
import { peopleRoutes } from './people/routes.ts';
import { createProjectEscrows, finishProjectEscrows } from './project-escrow.ts';
import { createProjectReads } from './queries.ts';
import { balanceRoutes, projectRoutes, walletRoutes } from './routes.ts';
import { refusal } from './surface/envelope.ts';
import { createSurfaceB } from './surface/surface.ts';

type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'jwtSecrets'>;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly ledger: Pick<LedgerModule, 'prepareWallet'>;
  readonly operations: EscrowOperations;
  readonly orders: Pick<OrderReads, 'find'>;
  readonly approvals: Pick<ApprovalsModule, 'hold'>;
  onTrouble(message: string, error: unknown): void;
};

/** Added to the time of the two operations that a setup waits for. */
const CLAIM_SPARE_MS = 60_000;

export type SurfaceB = { readonly companion: CompanionSurface | null; readonly jobs: readonly Job[] };

export const composeSurfaceB = (options: Options): SurfaceB => {
  const { config, pool, submit, ledger, operations, orders, approvals, onTrouble } = options;
  const { marketplaceId, initAuth, ...entry } = config.surfaceB;
  const { baseCurrency } = config.money;
  const people = createPeopleReads(pool);
  const projects = createProjectReads(pool);
  const tokens = createPeopleTokens({
    jwtSecrets: options.secrets.jwtSecrets,
    ttlMs: entry.tokenTtlMs,
    clock: systemClock,
  });
  const attempts = createLoginAttempts(pool, marketplaceId);
  const refuse = (retryAfter: number) => refusal('tooManyGuesses', { retryAfter });
  const limits = {
    failuresMax: entry.loginFailuresMax,
    windowMs: entry.loginWindowMs,
    delayMaxMs: entry.loginDelayMaxMs,
    refuse,
  };
  const passwords = createPasswords();
  const logins = createLogins({ passwords, guesses: createGuesses(attempts, limits), refuse });
  const projectEscrows = createProjectEscrows({
    submit,
    operations,
    onTrouble,
    findOrder: orders.find,
    wasRefused: projects.wasRefused,
    listLeft: projects.listLeft,
    claimMs: 2 * config.orders.operationWaitMs + CLAIM_SPARE_MS,
  });

  const { amountMin, amountMax } = orderRules(config);
  const routes = [
    ...peopleRoutes({
      submit,
      people,
      logins,
      passwords,
      tokens,
      baseCurrency,
      prepareWallet: ledger.prepareWallet,
    }),
    ...balanceRoutes({ people }),
    ...walletRoutes({ submit }),
    ...projectRoutes({ submit, projects, baseCurrency }),
    ...escrowRoutes({
      projects,
      orders,
      operations,
      projectEscrows,
      approvals,
      amountMin,
      amountMax,
      initNeedsToken: initAuth === 'required',
    }),
  ];
  return {
    companion: servesSurfaceB(config) ? createSurfaceB({ routes, tokens, marketplaceId }) : null,
    // Interrupted setups are finished also where the surface is no longer served.
    jobs: [finishProjectEscrows(projectEscrows), clearLoginAttempts(attempts.trim)],
  };
};
