// What no careful client would send: values of the wrong kind, bodies that are no bodies, headers and paths made to
// find out what happens. None of it may resemble our own insides, because the answers are searched for those.

import fc from 'fast-check';
import type { Json } from './values.ts';

const DEEP = 5_000;

/** Larger than any body may be. */
const HUGE_CHARACTERS = 300_000;

const ODD_TEXTS = [
  '',
  ' ',
  '\t\n',
  '..',
  '../../../../etc/hosts',
  '%00',
  '%',
  '%zz',
  "'; drop table x; --",
  '" or 1=1 --',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202eabc',
  '\ufeff',
  '𝒳'.repeat(50),
  'e\u0301'.repeat(100),
  '🧨'.repeat(200),
  '-1',
  '0',
  '0.00',
  '00',
  '1e3',
  '1e400',
  '0x10',
  'NaN',
  'Infinity',
  '１２',
  '1,000.00',
  '.5',
  '1.234',
  '99999999999999999999999999',
  '9223372036854775807',
  '-0.01',
  '+1',
  'null',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  '*',
  'order.*',
  'usr_00000000000000000000000000',
  'ord_ZZZZZZZZZZZZZZZZZZZZZZZZZZ',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999999999+14:59',
  '0000-01-01T00:00:00Z',
  'x'.repeat(5_000),
];

export const oddText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

const oddValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e300, -1e-7, 2 ** 53 + 1, [], {}) },
  { weight: 1, arbitrary: fc.constantFrom<Json>([[]], [null], { length: 1 }, { toString: 'x' }, ['USD'], [1, 'a']) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json> },
);

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const BAD_KEYS = [
  '__proto__',
  'constructor',
  'unknownField',
  'buyer_id',
  'user_id',
  'amount ',
  '',
  '\u0000',
  'ａmount',
];

/** A valid body with one thing wrong. */
export const mutated = (valid: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(valid, fc.nat(1_000), oddValue, fc.constantFrom('replace', 'remove', 'add', 'within'))
    .map(([body, place, odd, how]) => {
      if (!isObject(body)) return odd;
      const names = Object.keys(body);
      const name = names[place % Math.max(1, names.length)];
      if (how === 'add' || name === undefined) return { ...body, [BAD_KEYS[place % BAD_KEYS.length]!]: odd };
      if (how === 'remove') return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
      return { ...body, [name]: how === 'within' && isObject(body[name]!) ? { ...body[name], extra: odd } : odd };
    });

/** Bodies as text, of which few are JSON at all. */
const ODD_BODIES: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '"text"',
  '[]',
  '[{}]',
  '{',
  '{"amount":',
  '{"a":1}{"b":2}',
  '{"amount":"1.00","amount":"2.00"}',
  "{'amount':'1.00'}",
  '{"__proto__":{"isAdmin":true},"amount":"1.00"}',
  '{"constructor":{"prototype":{"isAdmin":true}},"amount":"1.00"}',
  '{"\\u005f_proto__":{"x":1}}',
  '{"amount":"\\ud800"}',
  '{"amount":"\\u0000"}',
  '{"amount":1e400}',
  '{"amount":-0}',
  '\ufeff{"amount":"1.00"}',
  '<?xml version="1.0"?><a/>',
  'a=b&c=d',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
  '\u0000\u0001\u0002',
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  `{"metadata":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`,
  `{"title":"${'x'.repeat(HUGE_CHARACTERS)}"}`,
  `[${'0,'.repeat(HUGE_CHARACTERS / 2)}0]`,
  `{${Array.from({ length: 5_000 }, (_, place) => `"k${place}":0`).join(',')}}`,
];

export const oddBody = fc.constantFrom(...ODD_BODIES);

const CONTENT_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json;',
  'APPLICATION/JSON',
  'application/problem+json',
  'application',
  '/',
  ';',
];

/** One header that should change nothing, or be refused. */
export const oddHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.constantFrom(...CONTENT_TYPES).map((value) => ['content-type', value] as const),
  fc.constantFrom('x', 'not-a-uuid', ' ', '0'.repeat(300)).map((value) => ['idempotency-key', value] as const),
  fc.constantFrom('x', 'x'.repeat(200), 'a b c', '"><b>', 'é', '\t').map((value) => ['x-request-id', value] as const),
  fc.constantFrom('mkt_', 'mkt_other', '*', 'mkt_default,mkt_other', '').map((value) => ['x-marketplace-id', value]),
  fc.constantFrom('0', 'not a time', '9999-01-01T00:00:00Z', '-').map((value) => ['last-event-id', value] as const),
  fc
    .constantFrom('Bearer', 'Bearer ', 'Basic eDp5', 'bearer x', 'Bearer a b', 'Bearer '.concat('x'.repeat(4_000)))
    .map((value) => ['authorization', value] as const),
  fc.constantFrom('gzip', 'br', 'identity', 'x').map((value) => ['content-encoding', value] as const),
  fc.constantFrom('127.0.0.1', '1.2.3.4, 5.6.7.8', 'x'.repeat(500)).map((value) => ['x-forwarded-for', value] as const),
  fc.constantFrom('*/*', 'text/html', 'application/xml', '').map((value) => ['accept', value] as const),
  fc.constantFrom('100-continue', 'x').map((value) => ['expect', value] as const),
  fc.constantFrom('DELETE', 'GET').map((value) => ['x-http-method-override', value] as const),
  fc.constantFrom('https://evil.example', 'null').map((value) => ['origin', value] as const),
  fc.constantFrom('bytes=0-1', 'x').map((value) => ['range', value] as const),
  fc.constantFrom(7_000, 20_000).map((length) => ['x-long', 'x'.repeat(length)] as const),
) as fc.Arbitrary<readonly [string, string]>;

/** Query strings that no list of parameters describes. */
export const ODD_QUERIES: readonly string[] = [
  'limit=1&limit=2',
  'limit[]=1',
  'limit=',
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1e2',
  'cursor=',
  'cursor=%00',
  'cursor=%zz',
  'cursor=usr_00000000000000000000000000',
  'cursor=aud_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  '__proto__[x]=1',
  'constructor=1',
  'unknown=1',
  '=',
  '&&&',
  '?',
  `q=${'x'.repeat(4_000)}`,
  `${'a=1&'.repeat(1_500)}`,
  'since=yesterday',
  'types=order.*',
  'page=0',
  'page=99999999999999999999',
  'page=1.5',
  'currency=usd',
  'from=2026-99-99',
];
