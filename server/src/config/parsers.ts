// Parses the text of one setting. A parser describes what it expects and returns undefined for anything else. It never throws, never
// guesses, and does not know the name of the setting.

import { isIP } from 'node:net';

export type Parser<T> = { expects: string; read(text: string): T | undefined };

const MS_PER = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, days: 86_400_000 };
const UNIT_NAMES = { ms: 'milliseconds', s: 'seconds', min: 'minutes', h: 'hours', days: 'days' };

export function integer(range: { min: number; max: number }): Parser<number> {
  return {
    expects: `a whole number from ${range.min} to ${range.max}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= range.min && value <= range.max ? value : undefined;
    },
  };
}

// The unit is the last word of the setting's name. The value is always in milliseconds, so that no code has to convert it.
export function duration(range: { unit: keyof typeof MS_PER; min: number; max: number }): Parser<number> {
  const count = integer(range);
  return {
    expects: `${count.expects}, in ${UNIT_NAMES[range.unit]}`,
    read(text) {
      const value = count.read(text);
      return value === undefined ? undefined : value * MS_PER[range.unit];
    },
  };
}

const ISO_DURATION = /^P(?=.)(?:(\d{1,4})D)?(?:T(?=.)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/;

// Days, hours, minutes and seconds only: a month has no fixed length.
export function isoDuration(range: { daysMax: number }): Parser<number> {
  return {
    expects: `an ISO 8601 duration in days, hours, minutes and seconds, such as PT24H, from PT0S to P${range.daysMax}D`,
    read(text) {
      const match = ISO_DURATION.exec(text);
      if (match === null) return undefined;
      const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
      const ms = (((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * MS_PER.s;
      return ms <= range.daysMax * MS_PER.days ? ms : undefined;
    },
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): Parser<T> {
  return { expects: `one of ${choices.join(', ')}`, read: (text) => choices.find((choice) => choice === text) };
}

// An unset setting has its default, so the empty list needs a word.
export function subset<const T extends string>(choices: readonly T[]): Parser<readonly T[]> {
  const items = list(oneOf(choices));
  return {
    expects: `none, or a comma-separated list of ${choices.join(', ')}`,
    read(text) {
      if (text === 'none') return [];
      const values = items.read(text);
      return values && new Set(values).size === values.length ? values : undefined;
    },
  };
}

export const boolean: Parser<boolean> = {
  expects: 'true or false (on, off, 1 and 0 work too)',
  read(text) {
    if (['true', 'on', '1'].includes(text.toLowerCase())) return true;
    return ['false', 'off', '0'].includes(text.toLowerCase()) ? false : undefined;
  },
};

export function words(rule: { pattern: RegExp; expects: string }): Parser<string> {
  return { expects: rule.expects, read: (text) => (rule.pattern.test(text) ? text : undefined) };
}

// Credentials are sent in headers, where characters outside visible ASCII would be changed.
export function secret(rule: { lengthMin: number }): Parser<string> {
  return {
    expects: `${rule.lengthMin > 1 ? `at least ${rule.lengthMin} ` : ''}visible ASCII characters without spaces or commas`,
    read: (text) => (/^[\x21-\x2b\x2d-\x7e]+$/.test(text) && text.length >= rule.lengthMin ? text : undefined),
  };
}

export function list<T>(item: Parser<T>): Parser<readonly T[]> {
  return {
    expects: `a comma-separated list, each item being ${item.expects}`,
    read(text) {
      if (text === '') return [];
      const values = text.split(',').map((part) => item.read(part.trim()));
      return values.some((value) => value === undefined) ? undefined : (values as T[]);
    },
  };
}

export function url(rule: { schemes: readonly string[]; expects: string }): Parser<string> {
  return {
    expects: rule.expects,
    read: (text) => (rule.schemes.some((scheme) => URL.parse(text)?.protocol === `${scheme}:`) ? text : undefined),
  };
}

// Plain http is allowed only for hosts that are not on the internet: loopback, or a name without a dot (a container network).
export const serviceUrl: Parser<string> = {
  expects: 'an https URL without user name, query or fragment (http only for loopback or a host name without a dot)',
  read(text) {
    const parsed = URL.parse(text);
    if (!parsed || parsed.username || parsed.password || parsed.search || parsed.hash) return undefined;
    const near = isLoopback(parsed.hostname) || /^[^.:[\]]+$/.test(parsed.hostname);
    if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && near)) return undefined;
    return text.replace(/\/+$/, '');
  },
};

export const origin: Parser<string> = {
  expects: 'an origin such as https://shop.example (scheme, host, port; no path and no *)',
  read: (text) => (/^https?:\/\//.test(text) && URL.parse(text)?.origin === text ? text : undefined),
};

type TrustedProxies = false | number | readonly string[];

// There is no "on": with every sender trusted, any client could choose its own address.
export const trustedProxies: Parser<TrustedProxies> = {
  expects: 'off, the number of proxies in front (1 to 10), or a comma-separated list of their addresses or CIDR ranges',
  read(text) {
    if (text === 'off') return false;
    return integer({ min: 1, max: 10 }).read(text) ?? list(address).read(text);
  },
};

const address: Parser<string> = {
  expects: 'an address or CIDR range',
  read(text) {
    const [host = '', bits, ...rest] = text.split('/');
    const bitsMax = isIP(host) === 4 ? 32 : 128;
    if (isIP(host) === 0 || rest.length > 0) return undefined;
    return bits === undefined || integer({ min: 1, max: bitsMax }).read(bits) !== undefined ? text : undefined;
  },
};

// The value stays text: only books/money.ts may turn a decimal into an amount. Eleven digits fit into the 64 bits of the books.
export const amount: Parser<string> = {
  expects: 'an amount of at least 0.01 with at most two decimal places, up to 99999999999.99',
  read(text) {
    if (!/^(0|[1-9]\d{0,10})(\.\d{1,2})?$/.test(text) || !/[1-9]/.test(text)) return undefined;
    const [whole, cents = ''] = text.split('.');
    return `${whole}.${cents.padEnd(2, '0')}`;
  },
};

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

export type WalletKek = { readonly version: number; readonly key: Buffer };

const KEK_ITEM = /^([1-9]\d{0,8}):([A-Za-z0-9+/_-]{43}=?)$/;
const KEK_BYTES = 32;

// The key-encryption keys of the wallets: `2:<base64>,1:<base64>`, the newest first. Each key has 32 random bytes and a version, because
// each row names the version that encrypted it.
export const walletKeks: Parser<readonly WalletKek[]> = {
  expects:
    'a comma-separated list of a version, a colon and 32 bytes in base64, the newest first, each version and each key once',
  read(text) {
    const keks = text.split(',').map((part) => readKek(part.trim()));
    if (keks.some((kek) => kek === null)) return undefined;
    const known = keks as WalletKek[];
    const versions = new Set(known.map(({ version }) => version));
    const keys = new Set(known.map(({ key }) => key.toString('hex')));
    return versions.size === known.length && keys.size === known.length ? known : undefined;
  },
};

const DISTINCT_BYTES_MIN = 8;

/** Whether the key has so few different bytes that it was typed and not generated. */
export const isWeakKek = ({ key }: WalletKek): boolean => new Set(key).size < DISTINCT_BYTES_MIN;

const readKek = (text: string): WalletKek | null => {
  const [, version, base64] = KEK_ITEM.exec(text) ?? [];
  if (version === undefined || base64 === undefined) return null;
  const key = Buffer.from(base64, 'base64');
  return key.length === KEK_BYTES ? { version: Number(version), key } : null;
};
