// Puts operators and their sessions together: the routes of the API, and those beside the page of the console. Like compose.ts it decides
// nothing.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import { DomainError } from '../../base/domain-error.ts';
import type { Clock } from '../../base/instant.ts';
import type { Submit } from '../../commit/command.ts';
import { type Config, isLoopback } from '../../config/config.ts';
import type { Route } from '../../http/route.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import type { Log } from '../../observability/logs.ts';
import { inviteUrlOf } from '../operators/invite-routes.ts';
import { firstAdminInvite } from '../operators/invite-text.ts';
import { createOperatorReads, type OperatorReads } from '../operators/queries.ts';
import { operatorRoutes } from '../operators/routes.ts';
import { createGuesses, createLoginAttempts } from '../passwords/login-attempts.ts';
import { createLogins } from '../passwords/logins.ts';
import { createPasswords } from '../passwords/passwords.ts';
import { createAttempts } from './attempts.ts';
import { createBeginSessions } from './begin-sessions.ts';
import { consoleRoutes } from './console-routes.ts';
import { createInvitations } from './invitations.ts';
import { createPasskeySignIn } from './passkey-sign-in.ts';
import { createPasskeys } from './passkeys.ts';
import { createPasswordSignIn } from './password-sign-in.ts';
import type { SessionReads } from './queries.ts';
import { sessionRoutes } from './routes.ts';
import { createSingleSignOn } from './single-sign-on.ts';

type Parts = {
  readonly config: Config;
  readonly secrets: { readonly jwtSecrets: readonly string[] };
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly keeper: KeyKeeper;
  readonly sessions: SessionReads;
  readonly clock: Clock;
  readonly log: Log;
  readonly hasSandbox: boolean;
};

type OperatorsModule = {
  readonly routes: readonly Route[];
  readonly consoleRoutes: readonly Route[];
  /** The address at which people reach the server. Only when the server listens, or PUBLIC_URL is set. */
  origin(): string;
  /** From now on links lead to this address, unless the settings name another. */
  start(address: string): void;
  readonly reads: OperatorReads;
  /** A link for the first administrator; null when the service has an operator. */
  firstAdminUrl(): Promise<string | null>;
};

/** Five failures in a quarter of an hour are free; then each attempt waits longer. */
const GUESSES = { failuresMax: 5, windowMs: 15 * 60_000, delayMaxMs: 60_000 };

const tooManyGuesses = (retryAfter: number): DomainError =>
  new DomainError('RATE_LIMITED', {
    details: { limit: GUESSES.failuresMax, windowSeconds: GUESSES.windowMs / 1_000, retryAfter },
  });

const issuerOf = ({ oidcIssuer, oidcClientId, oidcClientSecret, oidcName }: Config['operators']) =>
  oidcIssuer === null
    ? null
    : { issuer: oidcIssuer, clientId: oidcClientId!, clientSecret: oidcClientSecret!, name: oidcName };

/** Where people open the console, as far as the settings say it. */
export const originOf = ({ payments: { publicUrl } }: Pick<Config, 'payments'>): string | null =>
  publicUrl === null ? null : new URL(publicUrl).origin;

/** Null: while there is no operator. */
const keySignInOf = ({ config: { operators, http }, hasSandbox }: Pick<Parts, 'config' | 'hasSandbox'>) => {
  if (operators.keySignIn !== null) return operators.keySignIn === 'allow';
  return isLoopback(http.host) || hasSandbox ? true : null;
};

const wireConsole = (parts: Parts, operators: OperatorReads): Route[] => {
  const { config, pool, submit, keeper, clock, log } = parts;
  const { secondFactor, sessionMs, sessionIdleMs } = config.operators;
  const publicOrigin = originOf(config);
  const secrets = parts.secrets.jwtSecrets;
  const nowMs = (): number => Math.floor(clock() / 1_000);
  const needsSecondFactor = secondFactor === 'required';
  const stored = createLoginAttempts(pool, DEFAULT_MARKETPLACE);
  const passwords = createPasswords();
  const guesses = createGuesses(stored, { ...GUESSES, refuse: tooManyGuesses });
  const logins = createLogins({ passwords, guesses, refuse: tooManyGuesses });
  const attempts = createAttempts({ secrets, nowMs, useOnce: stored.useOnce });
  const passkeys = createPasskeys();
  const sessions = createBeginSessions({ submit, nowMs, sessionMs, idleMs: sessionIdleMs, publicOrigin });
  const common = { operators, submit, sessions, attempts, passkeys, keeper, needsSecondFactor, nowMs };
  const issuer = issuerOf(config.operators);
  return consoleRoutes({
    operators,
    reads: parts.sessions,
    submit,
    sessions,
    signInWithPassword: createPasswordSignIn({ ...common, logins, passwords }),
    passkeys: createPasskeySignIn(common),
    invitations: createInvitations({ ...common, logins, secrets }),
    singleSignOn: issuer && createSingleSignOn({ issuer, operators, sessions, attempts, log }),
    needsSecondFactor,
    publicOrigin,
    keySignIn: keySignInOf(parts),
  });
};

export const wireOperators = (parts: Parts): OperatorsModule => {
  const { config, pool, submit, sessions, clock } = parts;
  const operators = createOperatorReads(pool);
  const publicOrigin = originOf(config);
  let origin = publicOrigin ?? '';
  const consoleUrl = (): string => `${origin}/console`;
  return {
    routes: [
      ...operatorRoutes({ reads: operators, submit, clock, consoleUrl }),
      ...sessionRoutes({ operators, sessions, clock }),
    ],
    consoleRoutes: wireConsole(parts, operators),
    reads: operators,
    origin: () => origin,
    start(address) {
      if (publicOrigin === null) origin = address;
    },
    async firstAdminUrl() {
      if (await operators.hasAny()) return null;
      return inviteUrlOf(consoleUrl(), firstAdminInvite(parts.secrets.jwtSecrets, Math.floor(clock() / 1_000)));
    },
  };
};
