// The token of a session: its marketplace, its id, and a secret of 32 random bytes. Only the hash of the secret is stored. Each sign-in makes
// a new one, so a token that an attacker placed in a browser never becomes a session.

import { randomBytes } from 'node:crypto';
import { ID_PREFIXES } from '@holdfast/contract/ids.ts';

export type SessionText = { readonly marketplaceId: string; readonly sessionId: string; readonly secret: string };

const SESSION_TEXT = /^hfs_([A-Za-z0-9-]{1,40})_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{43})$/;

export const freshSecret = (): string => randomBytes(32).toString('base64url');

export const formatSession = ({ marketplaceId, sessionId, secret }: SessionText): string => {
  const marketplace = marketplaceId.slice(ID_PREFIXES.marketplace.length + 1);
  return `hfs_${marketplace}_${sessionId.slice(ID_PREFIXES.operatorSession.length + 1)}_${secret}`;
};

/** Null when the text is not the token of a session. */
export const parseSession = (text: string): SessionText | null => {
  const [, marketplace, session, secret] = SESSION_TEXT.exec(text) ?? [];
  if (secret === undefined) return null;
  return {
    marketplaceId: `${ID_PREFIXES.marketplace}_${marketplace}`,
    sessionId: `${ID_PREFIXES.operatorSession}_${session}`,
    secret,
  };
};
