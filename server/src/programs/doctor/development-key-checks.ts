// The part of the checklist about development keys: the file that keeps one, and those that the database knows.

import { stat } from 'node:fs/promises';
import { developmentKeyFile, whyNoDevelopmentKey } from '../../config/reach.ts';
import type { Settings } from './settings-checks.ts';
import { failed, fine, type Look, type Verdict } from './verdict.ts';

const REVOKE = 'Start the server with these settings: it revokes development keys before it listens.';

export const lookAtDevelopmentKeyFile = async (settings: Settings): Promise<Look> => {
  const file = developmentKeyFile(settings.config.data.dir);
  const found = await stat(file).catch(() => null);
  if (found === null) return fine('No development key is kept in the data folder.');
  const why = whyNoDevelopmentKey(settings);
  if (why !== null) return failed(`${file} keeps a development key, but ${why}.`, REVOKE);
  if ((found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8).padStart(3, '0');
    return failed(
      `Other users of this machine can read ${file} (mode ${mode}).`,
      'Restart the server: it replaces the key.',
    );
  }
  return fine(`Only its owner can read ${file}, and only this machine can use the key.`);
};

export const examineDevelopmentKeyFile = async (settings: Settings): Promise<Verdict> => ({
  name: 'development-key-file',
  ...(await lookAtDevelopmentKeyFile(settings)),
});

/** `why` is the reason against development keys on this server; null when it may have one. */
export const judgeDevelopmentKeys = (ids: readonly string[], why: string | null): Look => {
  if (ids.length === 0) return fine('The database has no active development key.');
  if (why === null) return fine(`Active development keys: ${ids.length}. Only this machine can use them.`);
  return failed(`Active development keys: ${ids.join(', ')}. But ${why}.`, REVOKE);
};
