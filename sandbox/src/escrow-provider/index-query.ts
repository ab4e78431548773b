// The query of the provider's index: which escrows, in which order, and which page.

import type { Contract } from '../ledger-network/store.ts';
import type { Escrow } from './contract/escrow.ts';
import { invalid } from './errors.ts';
import { amountOf } from './present-escrow.ts';
import { readNumber } from './wire-amounts.ts';

export type Query = Record<string, string | string[] | undefined>;

const PAGE_SIZE = 10;
const PAGE_SIZE_MAX = 100;

export function pick(contracts: Iterable<Contract>, query: Query): Contract[] {
  const found = [...contracts].filter((contract) => contract.program === 'escrow' && fits(contract, query));
  const direction = one(query, 'orderDirection') === 'asc' ? 1 : -1;
  const key = ORDERS[one(query, 'orderBy') ?? 'createdAt'];
  if (key === undefined) throw invalid('orderBy must be one of: createdAt, updatedAt, amount');
  // Newest first also within the same millisecond.
  const ordered = direction === 1 ? found : found.reverse();
  ordered.sort((a, b) => direction * Number(key(a) - key(b)));
  const page = wholeNumber(query, { name: 'page', otherwise: 1 });
  const size = Math.min(wholeNumber(query, { name: 'pageSize', otherwise: PAGE_SIZE }), PAGE_SIZE_MAX);
  return ordered.slice((page - 1) * size, page * size);
}

// `name=a&name=b` and `name[]=a&name[]=b` are the same list.
export function many(query: Query, name: string): string[] {
  return [query[name], query[`${name}[]`]].flat().filter((value) => value !== undefined);
}

export const one = (query: Query, name: string): string | undefined => many(query, name)[0];

const ORDERS: Record<string, (contract: Contract) => bigint> = {
  createdAt: ({ createdAt }) => BigInt(createdAt),
  updatedAt: ({ changedAt }) => BigInt(changedAt),
  amount: ({ data }) => amountOf(data as Escrow),
};

function fits({ data, createdAt }: Contract, query: Query): boolean {
  const escrow = data as Escrow;
  const wanted = (name: string) => one(query, name);
  const title = wanted('title');
  const day = new Date(createdAt).toISOString().slice(0, 10);
  const amount = amountOf(escrow);
  return (
    (wanted('engagementId') ?? escrow.engagementId) === escrow.engagementId &&
    (wanted('type') ?? escrow.type) === escrow.type &&
    (wanted('status') ?? statusOf(escrow)) === statusOf(escrow) &&
    (wanted('isActive') ?? 'true') === 'true' &&
    (title === undefined || escrow.title.toLowerCase().includes(title.toLowerCase())) &&
    day >= (wanted('startDate') ?? day) &&
    day <= (wanted('endDate') ?? day) &&
    amount >= (limit(query, 'minAmount') ?? amount) &&
    amount <= (limit(query, 'maxAmount') ?? amount)
  );
}

// Only a single-release escrow has one status.
function statusOf(escrow: Escrow): string | undefined {
  if (escrow.type === 'multi-release') return undefined;
  const { released, resolved, disputed } = escrow.flags;
  if (released) return 'released';
  if (resolved) return 'resolved';
  if (disputed) return 'disputed';
  return escrow.milestones.every(({ approved }) => approved) ? 'completed' : 'pending';
}

function limit(query: Query, name: string): bigint | undefined {
  const value = one(query, name);
  if (value === undefined) return undefined;
  const units = readNumber(value);
  if (units === null) throw invalid(`${name} must be a number`);
  return units;
}

function wholeNumber(query: Query, { name, otherwise }: { name: string; otherwise: number }): number {
  const value = one(query, name);
  if (value === undefined) return otherwise;
  if (!/^[1-9]\d{0,5}$/.test(value)) throw invalid(`${name} must be a whole number above zero`);
  return Number(value);
}
