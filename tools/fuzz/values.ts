// Values that fit a schema of the OpenAPI document, as arbitraries: what a careful client would send. Ids are left
// open, as `@{usr:7}`, and become those of records that exist when the request is sent.

import fc from 'fast-check';
import type { Schema } from './document.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Which kind of record a field or a path names. */
const KIND_OF: Readonly<Record<string, string>> = {
  buyerId: 'usr',
  sellerId: 'usr',
  userId: 'usr',
  seller_id: 'usr',
  resourceId: 'usr',
  orderId: 'ord',
  order_id: 'ord',
  match: 'ord',
  code: 'top',
  escrow_id: 'esc',
  project_id: 'prj',
};

export const PREFIXES = [
  'usr',
  'ord',
  'esc',
  'dsp',
  'top',
  'wdr',
  'key',
  'prj',
  'opn',
  'aud',
  'whe',
  'whd',
  'pol',
  'opr',
  'ses',
  'apr',
  'cor',
  'nte',
  'evd',
  'msg',
  'pst',
] as const;

export const openId = (kind: string): fc.Arbitrary<string> => fc.nat(200).map((place) => `@{${kind}:${place}}`);

const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 3_000 }).map((cents) => (cents / 100).toFixed(2)) },
  { weight: 1, arbitrary: fc.constantFrom('0.01', '1', '10.5', '9999999.99', '10000000.00', '99999999999.99') },
);

const instant = fc
  .integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) })
  .map((ms) => new Date(ms).toISOString());

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid({ version: 4 }),
  uri: fc.webUrl(),
  duration: fc.constantFrom('PT1S', 'PT5M', 'P1D', 'P2W', 'P3DT12H'),
  date: instant.map((text) => text.slice(0, 10)),
  'date-time': instant,
  'date-or-time': fc.oneof(
    instant,
    instant.map((text) => text.slice(0, 10)),
  ),
};

/** Accounts without an owner; accounts from answers are `@{adr:…}`. */
const ADDRESSES = [
  'GDRDWJGETDPU5YOEZIRDEWFWUVEE4T66COJCYHIQLWZDZ6FA57M3PNTP',
  'GB4AGXMHSJOOICKP7ZD6UHNMYX64ZP25MQAT6CFU4FX7G6Z3EYEH5LEH',
  'GA7YMDWHD6OMLZSO2LNETSUASHAWBQKEF3TRH6DDYII3YOTY7BUCBE77',
  'GBNIBGSYYIYNI2RT2RG53MVYREY4GE4S2KDKQOWCSZQPWBVH2KCL3TQZ',
  'GAHOYPDYEJ23RR4QJMRQNSJQE7IBW365X3F5L45BOZPH6V7DN55Y7VXC',
  'GCFGH5WJCJSTALEACTJQ5ITNYHC3S7R6A6VQ3H5CKAJLHKJDHGF4YVRI',
];

const address = fc.oneof(fc.constantFrom(...ADDRESSES), openId('adr'), openId('adr'));

/** Few addresses, so that a login may hit a registered one. */
const email = fc.nat(20).map((place) => `fuzz-${place}@example.com`);

/** Fields whose meaning the schema cannot say. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  amount,
  // Few other texts are base64.
  content: fc.constantFrom('AAAA', 'VGhlIHBhcmNlbCB3YXMgb3Blbi4=', 'AAA'),
  fileName: fc.constantFrom('parcel.jpg', 'Rechnung über 5 €.pdf', '../../etc/passwd', 'a\r\nb: c', 'gpj.\u202efdp'),
  contentType: fc.constantFrom('image/jpeg', 'application/pdf', 'text/html', 'image/svg+xml', 'nothing'),
  releaseAmount: amount,
  refundAmount: amount,
  // The simulators' clock and patience: a year at once would only make every later call expire.
  seconds: fc.integer({ min: 1, max: 60 }),
  delayMs: fc.integer({ min: 0, max: 50 }),
  count: fc.integer({ min: 1, max: 3 }),
  email,
  password: fc.constantFrom('correct horse battery', 'wrong horse battery'),
  address,
  publicKey: address,
  public_key: address,
  buyer_address: address,
  seller_address: address,
  until: fc.constantFrom('2030-01-01T00:00:00Z', '2031-06-01T00:00:00Z', '2020-01-01T00:00:00Z'),
  ref: fc.constantFrom('m1', 'm2', 'ä/1', ' '),
  assignedTo: fc.constantFrom('agent-1', 'agent-2'),
};

const someText = ({ minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> =>
  fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)), unit: 'grapheme' });

const textOf = (schema: Schema): fc.Arbitrary<string> => {
  const [, prefix] = /^\^([a-z]{3})_\[/.exec(schema.pattern ?? '') ?? [];
  if (prefix) return openId(prefix);
  if (schema.pattern?.startsWith('^mkt_')) return fc.constantFrom('mkt_default', 'mkt_fuzz', 'mkt_other');
  const known = schema.format ? FORMATS[schema.format] : undefined;
  if (known) return known;
  const examples = (schema.examples ?? []).filter((each) => typeof each === 'string');
  const plain = someText(schema);
  return examples.length === 0 ? plain : fc.oneof(fc.constantFrom(...examples), plain);
};

const numberOf = ({ minimum = 0, maximum = 1_000, type }: Schema): fc.Arbitrary<number> =>
  type === 'integer'
    ? fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum))
    : fc.integer({ min: 1, max: 30_000 }).map((cents) => cents / 100);

const objectOf = ({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<Json> => {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, fitting(schema, name)]));
  if (Object.keys(fields).length === 0 && additionalProperties === true) return freeForm;
  const made = fc.record(fields, { requiredKeys: required.filter((name) => name in fields), noNullPrototype: true });
  return 'milestones' in fields ? fc.tuple(made, fc.boolean()).map(addUp) : made;
};

/** Milestones at random hardly ever add up to their order. */
const addUp = ([order, single]: [Record<string, Json>, boolean]): Json =>
  order.milestones && single
    ? { ...order, milestones: [{ ref: 'm1', title: 'All of it', amount: order.amount ?? null }] }
    : order;

const freeForm = fc.oneof(
  fc.constant<Json>({}),
  fc.record({ platformFee: fc.constantFrom<Json>(0, 5, 2.5, 99) }),
  fc.record({ platformFee: fc.constantFrom<Json>('12.25', 100, -1, 'much') }),
  fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>, { maxKeys: 5 }),
);

export const fitting = (schema: Schema, name = ''): fc.Arbitrary<Json> => {
  if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]));
  if (schema.const !== undefined) return fc.constant(schema.const as Json);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((branch) => fitting(branch, name)));
  const kind = KIND_OF[name];
  const types = [schema.type ?? []].flat();
  if (kind && types.includes('string')) return openId(kind);
  const named = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (named && !(name === 'amount' && !types.includes('string'))) return named;
  return fc.oneof(...(types.length === 0 ? ['string'] : types).map((type) => ofType(type, { ...schema, type })));
};

const ofType = (type: string, schema: Schema): fc.Arbitrary<Json> => {
  if (type === 'object') return objectOf(schema);
  if (type === 'array') return listOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return type === 'string' ? textOf(schema) : numberOf(schema);
};

const listOf = ({ items = {}, minItems = 0, maxItems = 5, uniqueItems }: Schema): fc.Arbitrary<Json> => {
  const lengths = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) };
  return uniqueItems ? fc.uniqueArray(fitting(items), lengths) : fc.array(fitting(items), lengths);
};
