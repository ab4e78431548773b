// What the session storage of this tab keeps: a key until it is signed out or not used for the idle time, the marketplace of an operator who
// may choose one, and the page to open after a single sign-on. Nothing of it outlives the tab.

import type { Credentials } from './api.ts';

const CREDENTIALS = 'holdfast.credentials';
const MARKETPLACE = 'holdfast.marketplace';
const PLACE = 'holdfast.place';
const USE = 'holdfast.use';

const readKept = (name: string): string | null => {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
};

const keep = (name: string, value: string | null): void => {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // The browser blocks storage: nothing survives a reload.
  }
};

const parsed = <Value>(text: string | null): Value | null => {
  try {
    return JSON.parse(text ?? 'null') as Value | null;
  } catch {
    return null;
  }
};

export const keptCredentials = (): Credentials | null => parsed<Credentials>(readKept(CREDENTIALS));

export const keepCredentials = (credentials: Credentials | null): void => {
  keep(CREDENTIALS, credentials && JSON.stringify(credentials));
  if (credentials === null) keep(USE, null);
};

type Use = { readonly idleMinutes: number; readonly usedMs: number };

/** The idle limit of the key and when it was last used. A browser may restore a tab long after it was closed. */
export const keptUse = (): Use | null => parsed<Use>(readKept(USE));

export const keepUse = (use: Use): void => keep(USE, JSON.stringify(use));

export const isIdle = (use: Use): boolean => Date.now() - use.usedMs > use.idleMinutes * 60_000;

/** Whether the user has chosen to stay signed in after a reload. */
export const isKeyKept = (): boolean => keptCredentials() !== null;

export const keptMarketplace = (): string | null => readKept(MARKETPLACE);

export const keepMarketplace = (marketplaceId: string | null): void => keep(MARKETPLACE, marketplaceId);

const HOME = '/console/';

/** Before the browser leaves for the single sign-on, which comes back to the first page. */
export const keepPlace = (): void => {
  const { pathname, search } = window.location;
  keep(PLACE, `${pathname}${search}`);
};

/** After another way to sign in. */
export const forgetPlace = (): void => keep(PLACE, null);

/** Before the router starts: the page that was open before the single sign-on, in place of the first page. */
export const returnToPlace = (): void => {
  const place = readKept(PLACE);
  const { pathname, search } = window.location;
  if (place === null || pathname !== HOME || search !== '') return;
  keep(PLACE, null);
  if (place.startsWith(HOME) && !place.includes('failed=')) window.history.replaceState(null, '', place);
};
