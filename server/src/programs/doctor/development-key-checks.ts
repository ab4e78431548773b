// The checks of development keys: the file in the data folder, and the active keys in the database.

import { stat } from 'node:fs/promises';
import { developmentKeyFile, whyNoDevelopmentKey } from '../../config/reach.ts';
import type { Settings } from './settings-checks.ts';
import { type CheckResult, failed, fine, type Verdict } from './verdict.ts';

const REVOKE = 'Start the server with these settings: it revokes all development keys before it listens.';

export const inspectDevelopmentKeyFile = async (settings: Settings): Promise<CheckResult> => {
  const file = developmentKeyFile(settings.config.data.dir);
  const found = await stat(file).catch(() => null);
  if (found === null) return fine('The data folder contains no development key.');
  const why = whyNoDevelopmentKey(settings);
  if (why !== null) return failed(`${file} contains a development key, but ${why}.`, REVOKE);
  if ((found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8).padStart(3, '0');
    return failed(
      `Other users of this machine can read ${file} (mode ${mode}).`,
      'Restart the server: it replaces the key.',
    );
  }
  return fine(`Only its owner can read ${file}, and only this machine can use the key.`);
};

export const checkDevelopmentKeyFile = async (settings: Settings): Promise<Verdict> => ({
  name: 'development-key-file',
  ...(await inspectDevelopmentKeyFile(settings)),
});

/** `why` is the reason against development keys on this server; null when it may have one. */
export const assessDevelopmentKeys = (ids: readonly string[], why: string | null): CheckResult => {
  if (ids.length === 0) return fine('The database has no active development key.');
  if (why === null) return fine(`Active development keys: ${ids.length}. Only this machine can use them.`);
  return failed(`Active development keys: ${ids.join(', ')}. But ${why}.`, REVOKE);
};
