// Whether other machines can reach this server and its database, according to the settings, and whether the server may have a
// development key. That key has every right in its marketplace, so it must never work on a server that other machines can reach.

import { join } from 'node:path';
import { isLoopback } from './parsers.ts';
import type { Config } from './settings.ts';

/** True when other machines can reach this server, directly or through a proxy. */
export const isReachable = ({ http }: Pick<Config, 'http'>): boolean =>
  !isLoopback(http.host) || http.trustProxy !== false;

/** Whether the address is of a real outside system. Plain http is accepted only for local hosts, where it is a sandbox. */
export const isReal = (url: string | null): boolean => url?.startsWith('https:') ?? false;

/** Whether the server has Surface B. Beside a real ledger anyone could register and use the operator's money for wallets. */
export const servesSurfaceB = ({ surfaceB, providers }: Pick<Config, 'surfaceB' | 'providers'>): boolean =>
  surfaceB.served ?? !isReal(providers.ledgerUrl);

/** Null stands for the embedded PostgreSQL. */
export const isDatabaseLocal = (url: string | null): boolean => {
  if (url === null) return true;
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  return host === '' || host.startsWith('/') || isLoopback(host);
};

/** The command-line tool reads the same file. */
export const developmentKeyFile = (dataDir: string): string => join(dataDir, 'dev-key.json');

type Settings = { readonly config: Pick<Config, 'http' | 'database'>; readonly sandboxIsOn: boolean };

/** Why the server may not have a development key, as the rest of a sentence after "because"; null when it may have one. */
export const whyNoDevelopmentKey = ({ config: { http, database }, sandboxIsOn }: Settings): string | null => {
  if (!sandboxIsOn) return 'this server does not start the sandbox';
  if (!isLoopback(http.host)) return `HOST=${http.host} can be reached from other machines`;
  if (http.trustProxy !== false) return 'TRUST_PROXY is set: other machines reach this server through a proxy';
  // Every server on that database would accept the key, regardless of its own settings.
  if (!isDatabaseLocal(database.url)) return 'the database is on another machine, and other servers may use it';
  return null;
};

/**
 * Whether webhook endpoints may have addresses that are not on the public internet. Callers of a server that others can reach could use
 * them to send requests to what only the server can reach.
 */
export const allowsPrivateTargets = (
  { http, webhooksOut }: Pick<Config, 'http' | 'webhooksOut'>,
  { hasSandbox }: { readonly hasSandbox: boolean },
): boolean =>
  webhooksOut.privateAddresses === null
    ? hasSandbox && isLoopback(http.host)
    : webhooksOut.privateAddresses === 'allow';
