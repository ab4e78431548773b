// Where the development key is kept, and when a server may have one. The key has every right in its marketplace, so it
// must never work on a server that other machines can reach. Pure.

import { join } from 'node:path';
import { isLoopback } from './parsers.ts';
import { isDatabaseLocal } from './reach.ts';
import type { Config } from './settings.ts';

/** The command-line tool looks for the same file. */
export const developmentKeyFile = (dataDir: string): string => join(dataDir, 'dev-key.json');

type Settings = { readonly config: Pick<Config, 'http' | 'database'>; readonly sandboxIsOn: boolean };

/** The reason against a development key, to be read after "because"; null when the server may have one. */
export const whyNoDevelopmentKey = ({ config: { http, database }, sandboxIsOn }: Settings): string | null => {
  if (!sandboxIsOn) return 'this server does not start the sandbox';
  if (!isLoopback(http.host)) return `HOST=${http.host} can be reached from other machines`;
  if (http.trustProxy !== false) return 'TRUST_PROXY is set: other machines reach this server through a proxy';
  // Every server on that database would accept the key, whatever its own settings are.
  if (!isDatabaseLocal(database.url)) return 'the database is on another machine, and other servers may use it';
  return null;
};
