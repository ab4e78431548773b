// The cookie of a session, and the check that a change with it comes from the console itself. On https the name has the prefix `__Host-`:
// then no other host and no plain connection can set it.

import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '../base/same-secret.ts';

type Asked = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly protocol: string;
  readonly host: string;
};

const NAMES = { https: '__Host-holdfast', http: 'holdfast' } as const;
/** For what has to survive between two requests of one sign-in. */
const ATTEMPT_NAMES = { https: '__Host-holdfast-attempt', http: 'holdfast-attempt' } as const;

const schemeOf = (isSecure: boolean): 'https' | 'http' => (isSecure ? 'https' : 'http');

/** The value of the cookie; null when there is none. */
const cookieOf = (header: string | undefined, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return null;
};

type Named = { readonly https: string; readonly http: string };

/** Where the client used https, only the name counts that no other host can set. */
const readCookie = ({ headers, protocol }: Pick<Asked, 'headers' | 'protocol'>, names: Named): string | null =>
  cookieOf(headers.cookie, names.https) ?? (protocol === 'https' ? null : cookieOf(headers.cookie, names.http));

export const sessionTokenOf = (asked: Pick<Asked, 'headers' | 'protocol'>): string | null => readCookie(asked, NAMES);

export const attemptOf = (asked: Pick<Asked, 'headers' | 'protocol'>): string | null =>
  readCookie(asked, ATTEMPT_NAMES);

type Cookie = { readonly value: string; readonly isSecure: boolean; readonly maxAgeS: number };

const print = (name: string, { value, isSecure, maxAgeS, sameSite }: Cookie & { sameSite: 'Strict' | 'Lax' }): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeS}${isSecure ? '; Secure' : ''}`;

/** An empty value with no age removes the cookie. */
export const sessionCookie = (cookie: Cookie): string =>
  print(NAMES[schemeOf(cookie.isSecure)], { ...cookie, sameSite: 'Strict' });

/** `Lax`, because the browser comes back from the single sign-on of another site. */
export const attemptCookie = (cookie: Cookie): string =>
  print(ATTEMPT_NAMES[schemeOf(cookie.isSecure)], { ...cookie, sameSite: 'Lax' });

/** Only the page that may read the session can know it. The cookie itself cannot be computed from it. */
export const csrfTokenOf = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('holdfast:csrf').digest('base64url');

const originOf = ({ protocol, host }: Pick<Asked, 'protocol' | 'host'>): string => `${protocol}://${host}`;

/** Whether a browser says that the request comes from a page of this server. A request that says nothing does not pass. */
export const isSameOrigin = (asked: Asked, publicOrigin: string | null): boolean => {
  const { origin, 'sec-fetch-site': site } = asked.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined) return origin === originOf(asked) || origin === publicOrigin;
  return site === 'same-origin';
};

/** Whether a request with a session reads only, or is a change that the console made. */
export const isOwnChange = (asked: Asked, publicOrigin: string | null): boolean => {
  if (asked.method === 'GET' || asked.method === 'HEAD') return true;
  const token = sessionTokenOf(asked);
  const given = asked.headers['x-csrf-token'];
  return (
    token !== null &&
    typeof given === 'string' &&
    /^[\w-]+$/.test(given) &&
    isSameSecret(given, csrfTokenOf(token)) &&
    isSameOrigin(asked, publicOrigin)
  );
};
