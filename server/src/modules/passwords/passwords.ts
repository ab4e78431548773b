// Passwords: argon2id, with parameters and salt in the stored text, so that the parameters can be raised without locking users out. A
// password is never stored, and checking one of an account that does not exist takes the same time.

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export type Passwords = {
  hash(password: string): Promise<string>;
  /** Null: there is no such account. Takes the same time, and is never true. */
  verify(password: string, stored: string | null): Promise<boolean>;
};

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>;

/** 19 MiB and two passes: the minimum that OWASP recommends. It takes about 50 ms here. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const STORED =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

const derive = promisify(argon2);

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const format = ({ memory, passes, parallelism }: Cost, { salt, tag }: { salt: Buffer; tag: Buffer }): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;

const parse = (stored: string) => {
  const [, memory, passes, parallelism, salt = '', tag = ''] = STORED.exec(stored) ?? [];
  if (memory === undefined) throw new Error('a stored password is not in the form that we write');
  const cost: Cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
};

// The same characters can be encoded in several ways.
const tagOf = (password: string, { cost, salt, length }: { cost: Cost; salt: Buffer; length: number }) =>
  derive('argon2id', { ...cost, message: password.normalize('NFKC'), nonce: salt, tagLength: length });

export const createPasswords = (): Passwords => {
  const dummy = format(COST, { salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) });

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return format(COST, { salt, tag: await tagOf(password, { cost: COST, salt, length: TAG_BYTES }) });
    },

    async verify(password, stored) {
      const { cost, salt, tag } = parse(stored ?? dummy);
      const found = await tagOf(password, { cost, salt, length: tag.length });
      return timingSafeEqual(found, tag) && stored !== null;
    },
  };
};
