// The text of an invitation. That of an operator names the marketplace, the operator and a secret, whose hash alone is stored. That of the
// first administrator is signed and not stored: it works while the service has no operator, and for a day.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ID_PREFIXES } from '@holdfast/contract/ids.ts';
import { digestSecret } from './session.ts';

/** A new invitation that its receiver has not got yet. A function returns the text, so that printing the object cannot leak it. */
export type Invite = { readonly hash: string; readonly validMs: number; reveal(): string };

type OperatorRef = { readonly marketplaceId: string; readonly operatorId: string };

type ParsedInvite =
  | (OperatorRef & { readonly kind: 'invitation'; readonly hash: string })
  | { readonly kind: 'first-admin'; readonly expiresAtMs: number };

const DAY_MS = 86_400_000;
const INVITE_MS = 7 * DAY_MS;
const FIRST_ADMIN_MS = DAY_MS;

const INVITE = /^hfi_([A-Za-z0-9-]{1,40})_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{43})$/;
const FIRST_ADMIN = /^hff_([0-9a-z]{8,10})_([A-Za-z0-9_-]{43})_([A-Za-z0-9_-]{22})$/;
const BASE = 36;

export const freshInvite = ({ marketplaceId, operatorId }: OperatorRef): Invite => {
  const secret = randomBytes(32).toString('base64url');
  const marketplace = marketplaceId.slice(ID_PREFIXES.marketplace.length + 1);
  const text = `hfi_${marketplace}_${operatorId.slice(ID_PREFIXES.operator.length + 1)}_${secret}`;
  return { hash: digestSecret(secret), validMs: INVITE_MS, reveal: () => text };
};

const signed = (text: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(`holdfast:first-admin:${text}`).digest();

/** The first secret signs, all of them are accepted, as for tokens. */
export const firstAdminInvite = (secrets: readonly string[], nowMs: number): string => {
  const body = `${Math.floor(nowMs + FIRST_ADMIN_MS).toString(BASE)}`;
  const nonce = randomBytes(16).toString('base64url');
  return `hff_${body}_${signed(`${body}_${nonce}`, secrets[0]!).toString('base64url')}_${nonce}`;
};

type Checking = { readonly secrets: readonly string[]; readonly nowMs: number };

/** Null when the text is no invitation, or one of the first administrator that is not valid now. */
export const parseInvite = (text: string, { secrets, nowMs }: Checking): ParsedInvite | null => {
  const invite = INVITE.exec(text);
  if (invite) {
    const [, marketplace, operator, secret] = invite;
    const marketplaceId = `${ID_PREFIXES.marketplace}_${marketplace}`;
    return {
      kind: 'invitation',
      marketplaceId,
      operatorId: `${ID_PREFIXES.operator}_${operator}`,
      hash: digestSecret(secret!),
    };
  }
  const [, body, mac, nonce] = FIRST_ADMIN.exec(text) ?? [];
  if (body === undefined || mac === undefined) return null;
  const given = Buffer.from(mac, 'base64url');
  const isSigned = secrets.some((secret) => timingSafeEqual(signed(`${body}_${nonce}`, secret), given));
  const expiresAtMs = Number.parseInt(body, BASE);
  return isSigned && expiresAtMs > nowMs ? { kind: 'first-admin', expiresAtMs } : null;
};
