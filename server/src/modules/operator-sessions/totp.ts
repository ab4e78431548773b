// Codes of an app (TOTP, RFC 6238) and recovery codes. A code is accepted one time step early or late, and the caller stores its step, so
// that each works once. Recovery codes have 80 random bits, so a fast hash of them is enough.

import { randomBytes } from 'node:crypto';
import { digestSecret } from '../operators/session.ts';

const PERIOD_S = 30;
const SECRET_BYTES = 20;
const STEPS_AROUND = 1;
const DIGITS = /^\d{6}$/;

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 16;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Loaded with the first code: most servers see API keys alone. */
const loadLibrary = () => import('otpauth');

export const isTotpCode = (code: string): boolean => DIGITS.test(code);

export const freshTotp = async (email: string): Promise<{ secret: string; uri: string }> => {
  const { Secret, TOTP } = await loadLibrary();
  const secret = new Secret({ size: SECRET_BYTES });
  return { secret: secret.base32, uri: new TOTP({ issuer: 'Holdfast', label: email, secret }).toString() };
};

/** The time step of the code; null when the code is wrong. */
export const stepOfCode = async (
  secret: string,
  { code, nowMs }: { code: string; nowMs: number },
): Promise<bigint | null> => {
  const { Secret, TOTP } = await loadLibrary();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_AROUND });
  return delta === null ? null : BigInt(Math.floor(nowMs / (PERIOD_S * 1_000)) + delta);
};

const recoveryCode = (): string => {
  const letters = [...randomBytes(RECOVERY_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]!);
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
};

export const hashOfRecoveryCode = (code: string): string => digestSecret(code.toLowerCase().replaceAll(/[\s-]/g, ''));

export const freshRecoveryCodes = (): { codes: string[]; hashes: string[] } => {
  const codes = Array.from({ length: RECOVERY_CODES }, recoveryCode);
  return { codes, hashes: codes.map(hashOfRecoveryCode) };
};
