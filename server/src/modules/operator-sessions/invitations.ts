// Accepting an invitation: what it offers, the registration of an app or a passkey, and the end of it. An invitation that never was, was used
// or has expired gets one and the same answer.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant } from '../../base/instant.ts';
import { newId } from '../../base/ulid.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { Wire } from '../../http/route.ts';
import { attemptCookie } from '../../http/session-cookie.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { sealSecret } from '../../ledger/keys/seal.ts';
import { parseInvite } from '../operators/invite-text.ts';
import { claimIdOf, emailKeyOf, type Operator } from '../operators/operator.ts';
import type { OperatorReads } from '../operators/queries.ts';
import { digestSecret } from '../operators/session.ts';
import type { Logins } from '../passwords/logins.ts';
import { ATTEMPT_MS, type AttemptKeeper } from './attempts.ts';
import { type BeginSessions, type ConsoleAnswer, contextFor } from './begin-sessions.ts';
import { join, type NewPasskey } from './join.ts';
import type { Passkeys } from './passkeys.ts';
import { requireStrong } from './password-rules.ts';
import { freshRecoveryCodes, freshTotp, isTotpCode, stepOfCode } from './totp.ts';

type Parts = {
  readonly operators: Pick<OperatorReads, 'find' | 'hasAny'>;
  readonly submit: Submit;
  readonly logins: Pick<Logins, 'hash'>;
  readonly sessions: BeginSessions;
  readonly attempts: AttemptKeeper;
  readonly passkeys: Passkeys;
  readonly keeper: KeyKeeper;
  readonly secrets: readonly string[];
  readonly needsSecondFactor: boolean;
  nowMs(): number;
};

/** An open invitation. `operator` is null for the first administrator. */
type Open = {
  readonly marketplaceId: string;
  readonly operator: Operator | null;
  readonly inviteHash: string | null;
  readonly expiresAt: string;
};

type Chosen = {
  readonly email?: string;
  readonly name?: string;
  readonly password?: string;
  readonly code?: string;
  readonly passkey?: { readonly id: string };
  readonly passkeyName?: string;
};

type Asking = { readonly token: string; readonly wire: Wire };

const subjectOf = (token: string): string => digestSecret(`invite:${token}`);

/** The checks of what comes with an invitation. */
const createChecks = (parts: Parts) => {
  const { operators, attempts, sessions, passkeys, nowMs } = parts;

  const find = async (token: string): Promise<Open> => {
    const parsed = parseInvite(token, { secrets: parts.secrets, nowMs: nowMs() });
    if (parsed?.kind === 'first-admin' && !(await operators.hasAny())) {
      const expiresAt = formatInstant(parsed.expiresAtMs * 1_000);
      return { marketplaceId: DEFAULT_MARKETPLACE, operator: null, inviteHash: null, expiresAt };
    }
    if (parsed?.kind === 'invitation') {
      const { marketplaceId, operatorId, hash } = parsed;
      const operator = await operators.find(marketplaceId, operatorId);
      const expiresAt = operator?.inviteExpiresAt ?? null;
      const isOpen = operator?.status === 'INVITED' && operator.inviteHash === hash && expiresAt !== null;
      if (isOpen && expiresAt > formatInstant(nowMs() * 1_000)) {
        return { marketplaceId, operator, inviteHash: hash, expiresAt };
      }
    }
    throw new DomainError('INVITE_NOT_FOUND');
  };

  /** Who accepts: the first administrator says so, everyone else was named by the invitation. */
  const personOf = ({ operator }: Open, { email, name }: Pick<Chosen, 'email' | 'name'>) => {
    if (operator) return { email: operator.email, name: operator.name };
    if (email === undefined || name === undefined) throw validationError(['email and name are required']);
    return { email: email.trim(), name };
  };

  /** The app whose code was sent with the answer. */
  const confirmedTotp = async ({ token, wire }: Asking, code: string | undefined) => {
    if (code === undefined) return null;
    const begun = await attempts.open('totp', wire.attempt);
    const isOurs = begun?.subject === subjectOf(token);
    const step = isOurs && isTotpCode(code) ? await stepOfCode(begun.secret, { code, nowMs: nowMs() }) : null;
    if (!isOurs || step === null) throw validationError(['code is not the one that the app shows now']);
    return { secret: begun.secret, step };
  };

  const confirmedPasskey = async ({ token, wire }: Asking, chosen: Chosen): Promise<NewPasskey | null> => {
    if (chosen.passkey === undefined) return null;
    const begun = await attempts.open('register-passkey', wire.attempt);
    const challenge = begun?.subject === subjectOf(token) ? begun.challenge : null;
    const origin = sessions.originOf(wire);
    const name = chosen.passkeyName ?? 'Passkey';
    return passkeys.checkRegistration({ response: chosen.passkey, challenge, origin, name });
  };

  const hashOf = async (password: string | undefined, person: { email: string; name: string }) => {
    if (password === undefined) return null;
    requireStrong(password, person);
    return parts.logins.hash(password);
  };

  return { find, personOf, confirmedTotp, confirmedPasskey, hashOf };
};

export const createInvitations = (parts: Parts) => {
  const { attempts, sessions, passkeys, needsSecondFactor, nowMs } = parts;
  const { find, personOf, confirmedTotp, confirmedPasskey, hashOf } = createChecks(parts);

  const keep = (value: string, wire: Wire): string =>
    attemptCookie({ value, isSecure: sessions.isSecure(wire), maxAgeS: ATTEMPT_MS / 1_000 });

  return {
    async facts(token: string) {
      const { marketplaceId, operator, expiresAt } = await find(token);
      return {
        kind: operator ? 'invitation' : 'first-admin',
        email: operator?.email ?? null,
        name: operator?.name ?? null,
        role: operator?.role ?? 'admin',
        marketplaceId,
        expiresAt,
        secondFactor: needsSecondFactor ? 'required' : 'optional',
      };
    },

    async beginTotp({ token, wire }: Asking): Promise<ConsoleAnswer> {
      const { operator } = await find(token);
      const { secret, uri } = await freshTotp(operator?.email ?? 'first administrator');
      const value = attempts.seal('totp', { subject: subjectOf(token), secret });
      return { data: { secret, uri }, cookies: [keep(value, wire)] };
    },

    async beginPasskey({ token, wire }: Asking, given: { email?: string }): Promise<ConsoleAnswer> {
      const open = await find(token);
      const { email, name } = personOf(open, { ...given, name: given.email ?? '' });
      const userHandle = claimIdOf(emailKeyOf(email));
      const of = { email, name: name || email, userHandle, known: [], origin: sessions.originOf(wire) };
      const options = await passkeys.registrationOptions(of);
      const value = attempts.seal('register-passkey', { subject: subjectOf(token), challenge: options.challenge });
      return { data: options, cookies: [keep(value, wire)] };
    },

    async accept(asking: Asking & { readonly requestId: string }, chosen: Chosen): Promise<ConsoleAnswer> {
      const { token, wire, requestId } = asking;
      const open = await find(token);
      const person = personOf(open, chosen);
      const { marketplaceId } = open;
      const operatorId = open.operator?.id ?? newId('operator', nowMs());
      const totp = await confirmedTotp(asking, chosen.code);
      const passkey = await confirmedPasskey(asking, chosen);
      if (chosen.password === undefined && passkey === null) throw validationError(['password or passkey is required']);
      if (needsSecondFactor && totp === null && passkey === null) {
        throw validationError(['a second factor is required: send the code of an app, or a passkey']);
      }
      const passwordHash = await hashOf(chosen.password, person);
      const place = { marketplaceId, operatorId };
      const sealed = totp && (await sealSecret(parts.keeper, { secret: Buffer.from(totp.secret), place }));
      const { codes, hashes } = totp ? freshRecoveryCodes() : { codes: [], hashes: [] };
      const { session, token: sessionToken } = sessions.prepare(open, { wire, method: 'invitation' });
      const input = {
        operatorId,
        first: open.operator ? null : { id: operatorId, ...person },
        inviteHash: open.inviteHash,
        passwordHash,
        totp: totp && { sealed: sealed!, step: totp.step },
        recoveryHashes: hashes,
        passkey,
        session,
      };
      const context = contextFor(place, requestId);
      const joined = await runCommand(parts.submit, { command: join, input, context });
      return {
        data: { session: sessions.present({ ...joined, marketplaceId }, sessionToken), recoveryCodes: codes },
        cookies: [sessions.cookieFor(sessionToken, wire)],
      };
    },
  };
};

export type Invitations = ReturnType<typeof createInvitations>;
