// Whether the connection to the database is encrypted, decided by its URL, because the driver uses the URL.

import { isDatabaseLocal } from '../../config/reach.ts';
import { failed, fine, type Look, warning } from './verdict.ts';

const CHECKED = ['verify-full', 'verify-ca', 'require'];
const UNCHECKED = ['no-verify', 'prefer', 'allow'];

const REMEDY = 'Add sslmode=verify-full to DATABASE_URL, and sslrootcert where the authority is your own.';

export const databaseTls = (url: string | null): Look => {
  if (url === null) return fine('The embedded PostgreSQL answers at a socket in its own folder.');
  if (isDatabaseLocal(url)) return fine('The database is on this machine.');
  const mode = new URL(url).searchParams.get('sslmode') ?? '';
  if (CHECKED.includes(mode)) return fine(`The database is asked over TLS (sslmode=${mode}).`);
  if (UNCHECKED.includes(mode)) {
    return warning(`sslmode=${mode} does not check whom we talk to: somebody in between could read the books.`, REMEDY);
  }
  return failed('The database is on another machine and is asked without TLS.', REMEDY);
};
