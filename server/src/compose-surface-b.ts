// Puts Surface B together: its people and their tokens, its routes over the same commands and books, and what goes on with
// escrows that were left half set up. Like compose.ts it decides nothing.

import type pg from 'pg';
import type { Submit } from './commands/command.ts';
import type { composeCustody } from './compose-custody.ts';
import type { Config } from './config.ts';
import { systemClock } from './domain/instant.ts';
import type { Beside } from './http/beside.ts';
import { orderRules } from './http/routes/order-body.ts';
import { balanceRoutes } from './http/surface-b/routes/balances.ts';
import { escrowRoutes } from './http/surface-b/routes/escrows.ts';
import { peopleRoutes } from './http/surface-b/routes/people.ts';
import { projectRoutes } from './http/surface-b/routes/projects.ts';
import { walletRoutes } from './http/surface-b/routes/wallets.ts';
import { createSurfaceB } from './http/surface-b/surface.ts';
import { clearLoginAttempts } from './jobs/clear-login-attempts.ts';
import { finishProjectEscrows } from './jobs/finish-project-escrows.ts';
import type { Job } from './jobs/night-shift.ts';
import { createGuesses } from './keys/guesses.ts';
import { createLogins } from './keys/logins.ts';
import { createPasswords } from './keys/passwords.ts';
import { createPeopleTokens } from './keys/people-tokens.ts';
import type { Operations } from './operations/operations.ts';
import { createProjectEscrows } from './operations/project-escrow.ts';
import type { Secrets } from './secrets.ts';
import { createLoginAttempts } from './store/login-attempts.ts';
import { createOrderReads } from './store/reads/orders.ts';
import { createPeopleReads } from './store/reads/surface-b-people.ts';
import { createProjectReads } from './store/reads/surface-b-projects.ts';

type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'jwtSecrets'>;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly custody: Pick<ReturnType<typeof composeCustody>, 'prepareWallet' | 'begin'>;
  readonly operations: Operations;
  onTrouble(message: string, error: unknown): void;
};

/** Beyond the two operations that an escrow waits for. */
const CLAIM_SPARE_MS = 60_000;

export type SurfaceB = { readonly beside: Beside | null; readonly jobs: readonly Job[] };

export const composeSurfaceB = (options: Options): SurfaceB => {
  const { config, pool, submit, custody, operations, onTrouble } = options;
  const { marketplaceId, served, initAuth, ...entry } = config.surfaceB;
  const { baseCurrency } = config.money;
  const people = createPeopleReads(pool);
  const projects = createProjectReads(pool);
  const orders = createOrderReads(pool);
  const tokens = createPeopleTokens({
    jwtSecrets: options.secrets.jwtSecrets,
    ttlMs: entry.tokenTtlMs,
    clock: systemClock,
  });
  const attempts = createLoginAttempts(pool, marketplaceId);
  const limits = { failuresMax: entry.loginFailuresMax, windowMs: entry.loginWindowMs };
  const logins = createLogins({ passwords: createPasswords(), guesses: createGuesses(attempts, limits) });
  const projectEscrows = createProjectEscrows({
    ...{ submit, operations, onTrouble },
    findOrder: orders.find,
    wasRefused: projects.wasRefused,
    listLeft: projects.listLeft,
    claimMs: 2 * config.orders.operationWaitMs + CLAIM_SPARE_MS,
  });

  const { amountMin, amountMax } = orderRules(config);
  const routes = [
    ...peopleRoutes({
      ...{ submit, people, logins, tokens, baseCurrency },
      prepareWallet: custody.prepareWallet,
      beginWallet: custody.begin,
    }),
    ...balanceRoutes({ people }),
    ...walletRoutes({ submit }),
    ...projectRoutes({ submit, projects, baseCurrency }),
    ...escrowRoutes({
      ...{ projects, orders, operations, projectEscrows, amountMin, amountMax },
      initNeedsToken: initAuth === 'required',
    }),
  ];
  return {
    beside: served ? createSurfaceB({ routes, tokens, marketplaceId }) : null,
    // What was begun is finished also where the surface is no longer served.
    jobs: [finishProjectEscrows(projectEscrows), clearLoginAttempts(attempts.trim)],
  };
};
