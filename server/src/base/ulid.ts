// ULIDs: 48 bits of milliseconds and 80 random bits in Crockford's base 32. Within one process they increase, also after its clock was set
// back by less than a day, so ids of the same millisecond also sort in the order of their creation.

import { randomFillSync } from 'node:crypto';
import { ID_PREFIXES, type IdKind, idPattern } from '@holdfast/contract/ids.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const pool = Buffer.alloc(8_192);
let used = pool.length;
let lastMs = -1;
let timePart = '';
/** The random part as sixteen base-32 digits: counted up within a millisecond. */
const digits = new Uint8Array(16);
/** The text up to the last two digits, which are the ones that counting up usually changes. */
let front = '';
const FRONT_DIGITS = digits.length - 2;

const drawDigits = (): void => {
  if (used + digits.length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  for (let i = 0; i < digits.length; i++) digits[i] = pool[used + i]! & 31;
  // Headroom: counting up from here cannot overflow within a millisecond.
  digits[0]! &= 15;
  used += digits.length;
};

/** Returns the first digit that has changed. */
const countUp = (): number => {
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i]! < 31) {
      digits[i]!++;
      return i;
    }
    digits[i] = 0;
  }
  return 0;
};

const writeFront = (): void => {
  front = timePart;
  for (let i = 0; i < FRONT_DIGITS; i++) front += ALPHABET[digits[i]!];
};

const encodeTime = (ms: number): string => {
  let rest = ms;
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

/**
 * Clocks of two servers, and one clock before and after it was set back, differ by at most this. A clock that was set back by more begins a
 * new order: the time in an id is never further ahead of the clock.
 */
export const CLOCKS_DIFFER_MS = 86_400_000;

export const ulid = (nowMs: number): string => {
  if (nowMs > lastMs || lastMs - nowMs > CLOCKS_DIFFER_MS) {
    lastMs = nowMs;
    timePart = encodeTime(nowMs);
    drawDigits();
    writeFront();
  } else if (countUp() < FRONT_DIGITS) {
    writeFront();
  }
  return front + ALPHABET[digits[FRONT_DIGITS]!] + ALPHABET[digits[FRONT_DIGITS + 1]!];
};

export const newId = (kind: IdKind, nowMs: number): string => `${ID_PREFIXES[kind]}_${ulid(nowMs)}`;

/**
 * An id for a thing that already has a gapless number: the number replaces the random part, so it can be read from the id without an
 * index.
 */
export const numberedId = (kind: IdKind, of: { ms: number; number: bigint }): string =>
  `${ID_PREFIXES[kind]}_${encodeTime(of.ms)}${encodeNumber(of.number)}`;

/** The time in an id, in milliseconds. The id must have its form. */
export const msOfId = (id: string): number => {
  let ms = 0;
  for (const letter of id.slice(id.indexOf('_') + 1).slice(0, 10)) ms = ms * 32 + ALPHABET.indexOf(letter);
  return ms;
};

const encodeNumber = (number: bigint): string => {
  let text = '';
  for (let rest = number; text.length < digits.length; rest /= 32n) text = ALPHABET[Number(rest % 32n)] + text;
  return text;
};

/** The number in such an id; null when the text is not such an id. */
export const numberInId = (kind: IdKind, id: string): bigint | null => {
  if (!new RegExp(idPattern(kind)).test(id)) return null;
  let number = 0n;
  for (const letter of id.slice(-digits.length)) number = number * 32n + BigInt(ALPHABET.indexOf(letter));
  return number;
};
