// From where this server and its database can be reached, as far as the settings say. Pure.

import { isLoopback } from './parsers.ts';
import type { Config } from './settings.ts';

/** From other machines, directly or through a proxy. */
export const isReachable = ({ http }: Pick<Config, 'http'>): boolean =>
  !isLoopback(http.host) || http.trustProxy !== false;

/** Null is the embedded PostgreSQL. */
export const isDatabaseLocal = (url: string | null): boolean => {
  if (url === null) return true;
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  return host === '' || host.startsWith('/') || isLoopback(host);
};
