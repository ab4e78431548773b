// The session: the signed-in key or operator, its client and its permissions. A key is kept in the session storage of this tab, or in
// memory if the user chooses so. It is never put into a URL and never outlives the tab. The session of an operator is a cookie, which no
// script can read.

import type { GetConfigResult, Me } from '@holdfast/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { type Client, type Credentials, errorMessage, isSignedOut, makeClient } from './api.ts';
import { askConsole, type ConsoleSession, findConsoleSession } from './console-routes.ts';
import {
  forgetPlace,
  isIdle,
  keepCredentials,
  keepMarketplace,
  keepUse,
  keptCredentials,
  keptMarketplace,
  keptUse,
} from './kept.ts';
import { closeToasts } from './parts/toasts.tsx';
import { plural } from './plural.ts';
import { endSession, onSignedOut } from './queries.ts';

export type Session = {
  readonly client: Client;
  readonly me: Me;
  readonly credentials: Credentials;
  /** Only of an operator. */
  readonly own?: ConsoleSession;
  /** The session ends when it is not used for so long. */
  readonly idleMinutes: number;
};

/** The caller may choose a marketplace, and has not chosen one yet. */
type Choosing = { readonly session: Session; readonly keep: boolean };

type SessionControl = {
  readonly session: Session | null;
  readonly choosing: Choosing | null;
  /** True while a stored key or a cookie is checked. */
  readonly isRestoring: boolean;
  /** The reason why the last session ended, for the sign-in page. */
  readonly notice: string | null;
  /** `keep`: a key survives a reload of the tab. */
  signIn(session: Session, keep: boolean): void;
  /** Null: sign in again. */
  choose(choosing: Choosing | null): void;
  /** With a reason when the console does it by itself. */
  signOut(notice?: string): void;
};

const SessionContext = createContext<SessionControl | null>(null);

/** Checks the key with the server; throws if it is refused. */
export const openSession = async (
  credentials: Credentials,
  limits: Pick<Session, 'own' | 'idleMinutes'>,
): Promise<Session> => {
  const client = makeClient(credentials);
  return { client, credentials, me: await client.keys.me(), ...limits };
};

const limitsOf = ({ own, idleMinutes }: Session): Pick<Session, 'own' | 'idleMinutes'> => ({
  idleMinutes,
  ...(own ? { own } : {}),
});

/** The same caller in another marketplace. */
export const openIn = (session: Session, marketplaceId: string): Promise<Session> =>
  openSession({ ...session.credentials, marketplaceId }, limitsOf(session));

export const openOwn = (own: ConsoleSession): Promise<Session> =>
  openSession({ csrfToken: own.csrfToken }, { own, idleMinutes: own.idleMinutes });

/** The master key, and an operator of all marketplaces. */
export const mayChoose = ({ me, own }: Session): boolean => me.type === 'master' || own?.operator.everywhere === true;

const KEY_ENDED = 'Your key is no longer accepted: it was revoked or has expired. Sign in again.';
const SESSION_ENDED = 'Your session has ended. Sign in again to continue on this page.';
export const idleWords = (minutes: number): string =>
  `You were signed out because the console was not used for ${plural(minutes, 'minute')}.`;
const STILL_OPEN =
  'The server did not answer, so your session may still be open. Close the browser, or sign in and out.';

/** As the default of the server, for a tab that does not know its limit. */
const IDLE_MINUTES = 30;

class Idle extends Error {}

const openKept = (kept: Credentials): Promise<Session> => {
  const use = keptUse() ?? { idleMinutes: IDLE_MINUTES, usedMs: Date.now() };
  if (isIdle(use)) throw new Idle(idleWords(use.idleMinutes));
  return openSession(kept, { idleMinutes: use.idleMinutes });
};

/** The key of this tab, else the cookie of this browser. */
const restore = async (): Promise<Session | null> => {
  const kept = keptCredentials();
  if (kept) return openKept(kept);
  const own = await findConsoleSession();
  if (own === null) return null;
  const session = await openOwn(own);
  const marketplaceId = keptMarketplace();
  return own.operator.everywhere && marketplaceId ? openIn(session, marketplaceId) : session;
};

const restoreProblem = (error: unknown): string => {
  if (keptCredentials() === null) return errorMessage(error);
  if (error instanceof Idle) {
    keepCredentials(null);
    return error.message;
  }
  if (!isSignedOut(error)) return `${errorMessage(error)} Your key is still stored in this tab. Reload to try again.`;
  keepCredentials(null);
  return 'The key stored in this tab is no longer accepted. Sign in again.';
};

export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const queries = useQueryClient();
  const [session, setSession] = useState<Session | null>(null);
  const [choosing, setChoosing] = useState<Choosing | null>(null);
  const [isRestoring, setRestoring] = useState(true);
  const [notice, setNotice] = useState<string | null>(null);

  const leave = useCallback((why: string | null): void => {
    keepCredentials(null);
    keepMarketplace(null);
    endSession();
    closeToasts();
    setNotice(why);
    setChoosing(null);
    setSession(null);
  }, []);

  const control = useMemo<SessionControl>(
    () => ({
      session,
      choosing,
      isRestoring,
      notice,
      signIn(opened, keep) {
        keepCredentials(keep && !opened.own ? opened.credentials : null);
        if (keep && !opened.own) keepUse({ idleMinutes: opened.idleMinutes, usedMs: Date.now() });
        keepMarketplace(opened.own?.operator.everywhere ? opened.me.marketplaceId : null);
        forgetPlace();
        queries.clear();
        setNotice(null);
        setChoosing(null);
        setSession(opened);
      },
      choose(next) {
        if (next === null) endSession();
        else queries.clear();
        setChoosing(next);
        setSession(null);
      },
      signOut(why) {
        const own = session?.own ?? choosing?.session.own;
        leave(why ?? null);
        if (!own) return;
        const ended = askConsole('DELETE /console/session', { csrfToken: own.csrfToken, keepalive: true });
        ended.catch((error: unknown) => isSignedOut(error) || setNotice(STILL_OPEN));
      },
    }),
    [session, choosing, isRestoring, notice, queries, leave],
  );

  useEffect(() => {
    restore()
      .then(
        (found) => {
          const mustChoose = found?.own?.operator.everywhere && keptMarketplace() === null;
          if (found && mustChoose) setChoosing({ session: found, keep: false });
          else setSession(found);
        },
        (error: unknown) => setNotice(restoreProblem(error)),
      )
      .finally(() => setRestoring(false));
  }, []);

  const isOwn = session?.own !== undefined;
  const isSignedIn = session !== null || choosing !== null;
  useEffect(() => {
    // A request of the ended session may be refused late. It must not clear the queries of the sign-in page.
    if (!isSignedIn) return undefined;
    return onSignedOut(() => leave(isOwn ? SESSION_ENDED : KEY_ENDED));
  }, [leave, isOwn, isSignedIn]);

  return <SessionContext value={control}>{children}</SessionContext>;
};

export const useSessionControl = (): SessionControl => useContext(SessionContext)!;

/** Only inside the shell, where a session always exists. */
export const useSession = (): Session => useSessionControl().session!;

export const useClient = (): Client => useSession().client;

type Scope = 'read' | 'write' | 'treasury' | 'payout' | 'support';
type Permission = Scope | 'admin' | 'every' | 'master';

const CANNOT: Readonly<Record<Scope, string>> = {
  read: 'cannot view data',
  write: 'is read-only',
  treasury: 'cannot change balances by hand',
  payout: 'cannot pay out',
  support: 'cannot do this',
};

const MASTER_ONLY = 'Only the master key can do this. Sign in with the master key.';
const ADMIN_ONLY = 'Only an administrator or the master key can do this. Ask an administrator.';
const EVERY_ONLY = 'Only an administrator, a key with all permissions, or the master key can do this.';

const denialOf = (scope: Scope, isOperator: boolean): string =>
  isOperator
    ? `Your role ${CANNOT[scope]}: it lacks the “${scope}” scope. Ask an administrator.`
    : `Your key ${CANNOT[scope]}: it lacks the “${scope}” scope. Sign in with a key that has it.`;

/** Null when the caller has the permission, otherwise the reason why not. */
export const useDenial = (permission: Permission): string | null => {
  const { me } = useSession();
  const config = useConfig();
  const isOperator = me.type === 'operator';
  const hasEvery = me.scopes.includes('*');
  if (permission === 'master') return me.type === 'master' ? null : MASTER_ONLY;
  if (permission === 'admin') return me.type === 'master' || (isOperator && hasEvery) ? null : ADMIN_ONLY;
  if (permission === 'every') return hasEvery ? null : EVERY_ONLY;
  if (hasEvery || me.scopes.includes(permission)) return null;
  const isMoney = permission === 'treasury' || permission === 'payout';
  // Until the settings are loaded, write counts as it does by default; the server decides in any case.
  const isInWrite = !isOperator && isMoney && (config?.writeIncludes.includes(permission) ?? true);
  if (isInWrite) return me.scopes.includes('write') ? null : denialOf('write', false);
  return denialOf(permission, isOperator);
};

/** The published settings of the service, which do not change while it runs; null until they are loaded. */
export const useConfig = (): GetConfigResult | null => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: () => client.service.config(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
};
