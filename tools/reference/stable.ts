// Makes the recorded values printable: the same real id, address or time is the same printed one in all examples, all times are on one day
// in their order, and keys and secrets become placeholders that cannot be mistaken for real ones.

import { createHash } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk';

/** The day of the story, a Monday. */
const DAY = '2026-11-16';
const BEGINNING = Date.parse(`${DAY}T09:00:00Z`);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Two times of one request are printed so far apart. */
const TICK_MS = 250;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DATE = /(?<![\d-])\d{4}-\d\d-\d\d(?![\dT-])/g;
const ULID = /(?<![0-9A-Za-z])0[0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z])/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ADDRESS = /(?<![A-Z0-9])[GC][A-Z2-7]{55}(?![A-Z0-9])/g;
const HEX_HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
const BASE64_HASH = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=/g;

/** Secrets, and what is printed instead. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/(hf_[A-Za-z0-9-]+_[0-9A-Z]{26})_[\w-]+/g, '$1_YOUR-SECRET'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'YOUR-TOKEN'],
  [/whsec_[A-Za-z0-9+/=]+/g, `whsec_${Buffer.from('YOUR-WEBHOOK-SECRET').toString('base64')}`],
  [/(\/console\/join)#[\w-]+/g, '$1#INVITATION'],
  [/(\/receipts\/)[\w-]{20,}/g, '$1RECEIPT-TOKEN'],
  // A challenge of SEP-10 and its signed form, which no reader can read.
  [/AAAAAg[A-Za-z0-9+/=]{200,}/g, 'AAAAAgAAAADChZuR…'],
];

const digest = (label: string): Buffer => createHash('sha256').update(label).digest();

/** Printed values by real ones, in the order in which they appear. */
const numbered = (make: (place: number) => string): ((real: string) => string) => {
  const known = new Map<string, string>();
  return (real) => {
    const found = known.get(real) ?? make(known.size + 1);
    known.set(real, found);
    return found;
  };
};

/** A ULID of the story: later ones sort behind earlier ones. */
const ulidOf = (place: number): string => {
  let time = BEGINNING + place * 1_000;
  let head = '';
  for (let letter = 0; letter < 10; letter++) {
    head = CROCKFORD[time % 32] + head;
    time = Math.floor(time / 32);
  }
  const tail = [...digest(`ulid ${place}`).subarray(0, 16)].map((byte) => CROCKFORD[byte % 32]).join('');
  return head + tail;
};

const uuidOf = (place: number): string => {
  const hex = digest(`uuid ${place}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** When a request of the story was sent, and the number of the request in which a text was seen. */
export type Seen = { readonly text: string; readonly step: number };

type Clock = (time: string, step: number) => string;

const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** A day, moved with the story; the first of a month stays one. */
const movedDay = (real: string, today: number): string => {
  if (real.endsWith('-01')) {
    const months = Number(real.slice(0, 4)) * 12 + Number(real.slice(5, 7)) - 1;
    const now = new Date(today * DAY_MS);
    const apart = months - (now.getUTCFullYear() * 12 + now.getUTCMonth());
    return new Date(Date.UTC(Number(DAY.slice(0, 4)), Number(DAY.slice(5, 7)) - 1 + apart, 1))
      .toISOString()
      .slice(0, 10);
  }
  const moved = dayOf(Date.parse(real)) - today + dayOf(BEGINNING);
  return new Date(moved * DAY_MS).toISOString().slice(0, 10);
};

/** Each request has a minute of its own. Times of the story keep their order; others keep their distance from the request that shows them. */
const storyClock = (steps: readonly number[], seen: readonly Seen[]): Clock => {
  const first = steps[0]!;
  const last = steps.at(-1)! + MINUTE_MS;
  const today = dayOf(first);
  const stepAt = (time: number): number =>
    Math.max(
      0,
      steps.findLastIndex((begun) => begun <= time),
    );
  const inStory = [...new Set(seen.flatMap(({ text }) => text.match(TIME) ?? []).map((text) => Date.parse(text)))]
    .filter((time) => time >= first - 1_000 && time <= last)
    .sort((a, b) => a - b);
  const placed = new Map<number, number>();
  for (const [step, times] of Map.groupBy(inStory, stepAt)) {
    for (const [place, time] of times.entries()) placed.set(time, BEGINNING + step * MINUTE_MS + (place + 1) * TICK_MS);
  }
  const kept = new Map<number, number>();
  const printed = (time: number, step: number): number => {
    const inside = placed.get(time) ?? kept.get(time);
    if (inside !== undefined) return inside;
    const apart = Math.round((time - steps[step]!) / MINUTE_MS) * MINUTE_MS;
    const moved = BEGINNING + step * MINUTE_MS + apart;
    kept.set(time, moved);
    return moved;
  };
  return (text, step) => {
    const [, fraction = ''] = /\.(\d+)Z$/.exec(text) ?? [];
    if (/T00:00:00(\.0+)?Z$/.test(text)) return movedDay(text.slice(0, 10), today) + text.slice(10);
    const iso = new Date(printed(Date.parse(text), step)).toISOString();
    const digits = iso.slice(20, 23).padEnd(6, '0').slice(0, fraction.length);
    return fraction === '' ? `${iso.slice(0, 19)}Z` : `${iso.slice(0, 19)}.${digits}Z`;
  };
};

export type Stable = (text: string, step: number) => string;

type Facts = {
  readonly steps: readonly number[];
  /** All texts that are printed, so that times can be put in order first. */
  readonly seen: readonly Seen[];
  /** Addresses of this run, and what is printed instead. */
  readonly addresses: Readonly<Record<string, string>>;
};

export const createStable = ({ steps, seen, addresses }: Facts): Stable => {
  const clock = storyClock(steps, seen);
  const today = dayOf(steps[0]!);
  const month = new Date(steps[0]!).toISOString().slice(0, 7);
  const ulid = numbered(ulidOf);
  const uuid = numbered(uuidOf);
  const account = numbered((place) => StrKey.encodeEd25519PublicKey(digest(`account ${place}`)));
  const contract = numbered((place) => StrKey.encodeContract(digest(`contract ${place}`)));
  const hex = numbered((place) => digest(`hash ${place}`).toString('hex'));
  const base64 = numbered((place) => digest(`chain ${place}`).toString('base64'));
  return (text, step) => {
    let printed = text;
    for (const [real, instead] of Object.entries(addresses)) printed = printed.replaceAll(real, instead);
    for (const [pattern, instead] of SECRETS) printed = printed.replace(pattern, instead);
    if (printed === month) return DAY.slice(0, 7);
    return printed
      .replace(TIME, (time) => clock(time, step))
      .replace(DATE, (date) => movedDay(date, today))
      .replace(ULID, ulid)
      .replace(UUID, uuid)
      .replace(ADDRESS, (address) => (address.startsWith('G') ? account(address) : contract(address)))
      .replace(HEX_HASH, hex)
      .replace(BASE64_HASH, base64);
  };
};
