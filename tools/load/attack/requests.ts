// The attacks of `npm run attack`, as data: what each attacker sends, on how many connections or how often in a second, and what a
// reader of the table has to know of it.

import { randomBytes, randomUUID } from 'node:crypto';

export const ATTACKS = ['self-credit', 'hints', 'reads', 'streams', 'unknown keys'] as const;
export type AttackName = (typeof ATTACKS)[number];

export type AttackOrder = {
  readonly attack: AttackName;
  readonly port: number;
  /** The address that the attacker's connections come from, so that it shares no count per address with the quiet tenant. */
  readonly localAddress: string;
  /** Of the attacker's own marketplace: every scope, and `read` alone. */
  readonly key: string;
  readonly readKey: string;
  readonly userId: string;
  /** Contracts of the quiet tenant: anybody can read them from the ledger. */
  readonly contractIds: readonly string[];
};

export type Ask = {
  /** By which its answers are counted. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key: string | null;
  readonly body?: unknown;
};

/**
 * `connections` send the next request when they have the answer, `perSecond` is sent by the clock whatever comes back, and
 * `held` connections stay open without a further request.
 */
type Force = { readonly connections: number } | { readonly perSecond: number } | { readonly held: number };

/** A hint every 2 ms, as the issue of this measurement says; the other figures are what one process can keep up beside a server. */
export const FORCES: Readonly<Record<AttackName, Force>> = {
  'self-credit': { connections: 8 },
  hints: { perSecond: 500 },
  reads: { connections: 24 },
  streams: { held: 600 },
  'unknown keys': { connections: 48 },
};

const AMOUNT = '50.00';
const HINTS = ['escrow.funded', 'escrow.released', 'escrow.refunded', 'escrow.disputed'] as const;

const selfCredit = ({ key, userId }: AttackOrder, at: number): Ask => {
  const common = { method: 'POST', key } as const;
  if (at % 2 === 0) {
    const body = { amount: AMOUNT, reference: randomUUID() };
    return { ...common, name: 'credit', path: `/users/${userId}/balance/credit`, body };
  }
  const destination = { type: 'bank', ref: randomUUID(), email: 'attacker@shop.example' };
  const body = { userId, amount: AMOUNT, currency: 'USD', destination, commit: true };
  return { ...common, name: 'withdrawal', path: '/withdrawals', body };
};

const hint = ({ contractIds }: AttackOrder, at: number): Ask => {
  const contractId = contractIds[at % contractIds.length]!;
  const body = { type: HINTS[at % HINTS.length]!, event_id: randomUUID(), data: { contract_id: contractId } };
  return { name: 'hint', method: 'POST', path: '/webhooks/escrow-provider', key: null, body };
};

const READS: readonly ((userId: string) => readonly [name: string, path: string])[] = [
  () => ['verify', '/audit/verify'],
  () => ['logs', '/audit/logs?limit=100&action=USER_CREATED'],
  () => ['report', '/reports/money'],
  () => ['proof', '/audit/proof'],
  () => ['logs', '/audit/logs?limit=100&from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'],
  () => ['report', '/reports/activity?days=90'],
  (userId) => ['statement', `/users/${userId}/statement?limit=100`],
];

const read = ({ readKey, userId }: AttackOrder, at: number): Ask => {
  const [name, path] = READS[at % READS.length]!(userId);
  return { name, method: 'GET', path, key: readKey };
};

/** Crockford's digits, as the ids of keys have them. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Looks like a key of the server, and is none: each one has to be looked up before it can be refused. */
const unknownKey = (): string => {
  const id = [...randomBytes(26)].map((byte) => DIGITS[byte % DIGITS.length]).join('');
  return `hf_attacker_0${id.slice(1)}_${randomBytes(32).toString('base64url')}`;
};

export const nextAsk = (order: AttackOrder, at: number): Ask => {
  switch (order.attack) {
    case 'self-credit':
      return selfCredit(order, at);
    case 'hints':
      return hint(order, at);
    case 'reads':
      return read(order, at);
    case 'streams':
      return { name: 'stream', method: 'GET', path: '/events', key: order.key };
    case 'unknown keys':
      return { name: 'unknown key', method: 'GET', path: '/orders', key: unknownKey() };
  }
};
