// The sign-in with e-mail, password and code. An unknown address, a wrong password and a wrong code get the same answer after the same work,
// and failures slow the next attempts down, by operator and by address.

import { DomainError, isDomainError } from '../../base/domain-error.ts';
import type { Wire } from '../../http/route.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { openSecret } from '../../ledger/keys/seal.ts';
import { emailKeyOf, type Operator } from '../operators/operator.ts';
import type { OperatorReads } from '../operators/queries.ts';
import type { Logins } from '../passwords/logins.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { BeginSessions, ConsoleAnswer } from './begin-sessions.ts';
import type { Proof } from './change-session.ts';
import { hashOfRecoveryCode, isTotpCode, stepOfCode } from './totp.ts';

type Parts = {
  readonly operators: Pick<OperatorReads, 'findByClaim'>;
  readonly logins: Logins;
  readonly passwords: Pick<Passwords, 'verify'>;
  readonly sessions: Pick<BeginSessions, 'begin'>;
  readonly keeper: KeyKeeper;
  readonly needsSecondFactor: boolean;
  nowMs(): number;
};

type Found = { readonly marketplaceId: string; readonly operator: Operator };

type Second = Extract<Proof, { method: 'password' }>['second'];

type Typed = { readonly email: string; readonly password: string; readonly code?: string };

type Asking = { readonly wire: Wire; readonly requestId: string };

/** Any secret, for an address that no operator has. */
const NO_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** `isRight` false: a second factor is needed, and what was sent is none. */
type Checked = { readonly isRight: boolean; readonly second: Second };

const WRONG: Checked = { isRight: false, second: null };

export const createPasswordSignIn = (parts: Parts) => {
  const { operators, logins, passwords, sessions, keeper, needsSecondFactor, nowMs } = parts;

  const totpOf = async (found: Found | null): Promise<string> => {
    const sealed = found?.operator.sealedTotp ?? null;
    if (found === null || sealed === null) return NO_SECRET;
    const place = { marketplaceId: found.marketplaceId, operatorId: found.operator.id };
    const secret = await openSecret(keeper, { sealed, place });
    try {
      return secret.toString('utf8');
    } finally {
      secret.fill(0);
    }
  };

  const checkSecond = async (found: Found | null, code: string | undefined): Promise<Checked> => {
    const secret = await totpOf(found);
    const step = await stepOfCode(secret, {
      code: code !== undefined && isTotpCode(code) ? code : '000000',
      nowMs: nowMs(),
    });
    if (found === null) return WRONG;
    const { sealedTotp, recoveryHashes } = found.operator;
    if (sealedTotp === null) return needsSecondFactor ? WRONG : { isRight: true, second: null };
    if (code === undefined) return WRONG;
    if (isTotpCode(code)) return step === null ? WRONG : { isRight: true, second: { step } };
    const recoveryHash = hashOfRecoveryCode(code);
    return recoveryHashes.includes(recoveryHash) ? { isRight: true, second: { recoveryHash } } : WRONG;
  };

  return async ({ email, password, code }: Typed, { wire, requestId }: Asking): Promise<ConsoleAnswer> => {
    const emailKey = emailKeyOf(email);
    const found = await operators.findByClaim({ emailKey });
    let answer: ConsoleAnswer | null = null;
    // The session begins inside of the check, so that a code that was used before counts as a failure.
    const verify = async (): Promise<boolean> => {
      const passwordHash = found?.operator.passwordHash ?? null;
      const isRight = await passwords.verify(password, passwordHash);
      const { isRight: isSecondRight, second } = await checkSecond(found, code);
      if (!isRight || !isSecondRight || found === null || passwordHash === null) return false;
      const { marketplaceId, operator } = found;
      const proof = { method: 'password', passwordHash, sealedTotp: operator.sealedTotp, second } as const;
      try {
        answer = await sessions.begin({ marketplaceId, operatorId: operator.id, proof, wire, requestId });
      } catch (error) {
        if (isDomainError(error) && error.status < 500) return false;
        throw error;
      }
      return true;
    };
    await logins.check({ emailKey: `operator:${emailKey}`, address: wire.address, verify });
    if (answer === null) throw new DomainError('SIGN_IN_FAILED');
    return answer;
  };
};
