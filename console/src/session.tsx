// The session: the signed-in key, its client and its permissions. The key is kept in memory, or in the session storage
// of this tab if the user chooses so. It is never put into a URL and never outlives the tab.

import type { Me } from '@holdfast/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { type Client, type Credentials, isSignedOut, makeClient, sentenceOf } from './api.ts';
import { hushAll } from './parts/toasts.tsx';
import { onSignedOut } from './queries.ts';

export type Session = { readonly client: Client; readonly me: Me; readonly credentials: Credentials };

type Door = {
  readonly session: Session | null;
  /** True while a stored key is checked. */
  readonly isOpening: boolean;
  /** The reason why the last session ended, for the sign-in page. */
  readonly notice: string | null;
  enter(session: Session, keep: boolean): void;
  leave(notice?: string): void;
};

const DoorContext = createContext<Door | null>(null);
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
  const [isOpening, setOpening] = useState(() => keptCredentials() !== null);
  const [notice, setNotice] = useState<string | null>(null);

  const door = useMemo<Door>(
    () => ({
      session,
      isOpening,
      notice,
      enter(opened, keep) {
        keepCredentials(keep ? opened.credentials : null);
        queries.clear();
        setNotice(null);
        setSession(opened);
      },
      leave(why) {
        keepCredentials(null);
        queries.clear();
        hushAll();
        setNotice(why ?? null);
        setSession(null);
      },
    }),
    [session, isOpening, notice, queries],
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
            : `${sentenceOf(error)} Your key is still stored in this tab. Reload to try again.`,
        );
      })
      .finally(() => setOpening(false));
  }, []);

  useEffect(
    () =>
      onSignedOut(() => door.leave('Your key is no longer accepted: it was revoked or has expired. Sign in again.')),
    [door],
  );

  return <DoorContext value={door}>{children}</DoorContext>;
};

export const useDoor = (): Door => useContext(DoorContext)!;

/** Only inside the shell, where a session always exists. */
export const useSession = (): Session => useDoor().session!;

export const useClient = (): Client => useSession().client;
