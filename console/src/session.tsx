// The session: the signed-in key, its client and its permissions. The key is kept in memory, or in the session storage
// of this tab if the user chooses so. It is never put into a URL and never outlives the tab.

import type { GetConfigResult, Me } from '@holdfast/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { type Client, type Credentials, errorMessage, isSignedOut, makeClient } from './api.ts';
import { closeToasts } from './parts/toasts.tsx';
import { onSignedOut } from './queries.ts';

export type Session = { readonly client: Client; readonly me: Me; readonly credentials: Credentials };

type SessionControl = {
  readonly session: Session | null;
  /** True while a stored key is checked. */
  readonly isRestoring: boolean;
  /** The reason why the last session ended, for the sign-in page. */
  readonly notice: string | null;
  signIn(session: Session, keep: boolean): void;
  signOut(notice?: string): void;
};

const SessionContext = createContext<SessionControl | null>(null);
const KEPT = 'holdfast.credentials';

const keptCredentials = (): Credentials | null => {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Credentials | null;
  } catch {
    return null;
  }
};

/** Whether the user has chosen to stay signed in after a reload. */
export const isKeyKept = (): boolean => keptCredentials() !== null;

const keepCredentials = (credentials: Credentials | null): void => {
  try {
    if (credentials) sessionStorage.setItem(KEPT, JSON.stringify(credentials));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // The browser blocks storage: the key stays in memory.
  }
};

/** Checks the key with the server; throws if it is refused. */
export const openSession = async (credentials: Credentials): Promise<Session> => {
  const client = makeClient(credentials);
  return { client, credentials, me: await client.keys.me() };
};

export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const queries = useQueryClient();
  const [session, setSession] = useState<Session | null>(null);
  const [isRestoring, setOpening] = useState(() => keptCredentials() !== null);
  const [notice, setNotice] = useState<string | null>(null);

  const control = useMemo<SessionControl>(
    () => ({
      session,
      isRestoring,
      notice,
      signIn(opened, keep) {
        keepCredentials(keep ? opened.credentials : null);
        queries.clear();
        setNotice(null);
        setSession(opened);
      },
      signOut(why) {
        keepCredentials(null);
        queries.clear();
        closeToasts();
        setNotice(why ?? null);
        setSession(null);
      },
    }),
    [session, isRestoring, notice, queries],
  );

  useEffect(() => {
    const kept = keptCredentials();
    if (!kept) return;
    openSession(kept)
      .then(setSession, (error: unknown) => {
        if (isSignedOut(error)) keepCredentials(null);
        setNotice(
          isSignedOut(error)
            ? 'The key stored in this tab is no longer accepted. Sign in again.'
            : `${errorMessage(error)} Your key is still stored in this tab. Reload to try again.`,
        );
      })
      .finally(() => setOpening(false));
  }, []);

  useEffect(
    () =>
      onSignedOut(() =>
        control.signOut('Your key is no longer accepted: it was revoked or has expired. Sign in again.'),
      ),
    [control],
  );

  return <SessionContext value={control}>{children}</SessionContext>;
};

export const useSessionControl = (): SessionControl => useContext(SessionContext)!;

/** Only inside the shell, where a session always exists. */
export const useSession = (): Session => useSessionControl().session!;

export const useClient = (): Client => useSession().client;

type Permission = 'read' | 'write' | 'treasury' | 'payout' | 'support' | 'master';

const DENIALS: Readonly<Record<Permission, string>> = {
  read: 'Your key cannot view data: it lacks the “read” scope. Sign in with a key that has it.',
  write: 'Your key is read-only: it lacks the “write” scope. Sign in with a key that has it.',
  treasury: 'Your key cannot change balances by hand: it lacks the “treasury” scope. Sign in with a key that has it.',
  payout: 'Your key cannot pay out: it lacks the “payout” scope. Sign in with a key that has it.',
  support: 'Your key cannot do this: it lacks the “support” scope. Sign in with a key that has it.',
  master: 'Only the master key can do this. Sign in with the master key.',
};

/** Null when the key has the permission, otherwise the reason why not. */
export const useDenial = (permission: Permission): string | null => {
  const { me } = useSession();
  const config = useConfig();
  if (permission === 'master') return me.type === 'master' ? null : DENIALS.master;
  if (me.scopes.includes('*') || me.scopes.includes(permission)) return null;
  const isMoney = permission === 'treasury' || permission === 'payout';
  // Until the settings are loaded, write counts as it does by default; the server decides in any case.
  const isInWrite = isMoney && (config?.writeIncludes.includes(permission) ?? true);
  if (isInWrite) return me.scopes.includes('write') ? null : DENIALS.write;
  return DENIALS[permission];
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
