// A sealed closing: the figures of one month and of each of its days, which never change again. The hash of the figures is in the audit
// chain, so a changed figure would be noticed.

import { createHash } from 'node:crypto';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { table } from '../../commit/tables.ts';
import type { Figures, Owned } from './figures.ts';

/** Amounts in units, as text: JSON has no integers of this size. */
type StoredOwned = Readonly<Record<keyof Owned, string>>;

type StoredFigures = {
  readonly currency: Currency;
  readonly opening: StoredOwned;
  readonly in: string;
  readonly out: string;
  readonly fees: string;
  readonly closing: StoredOwned;
};

/** The days with postings; the others close as they open. */
type StoredDay = { readonly date: string; readonly currencies: readonly StoredFigures[] };

export type Sealed = {
  /** The month, such as 2026-11. */
  readonly id: string;
  readonly fromAt: string;
  readonly toAt: string;
  /** The last entry of the audit chain when it was sealed. A later posting with a time of the period is not part of it. */
  readonly auditSeq: bigint;
  readonly currencies: readonly StoredFigures[];
  readonly days: readonly StoredDay[];
  readonly hash: string;
  readonly sealedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    closings: Sealed;
  }
  interface Lookups {
    closings: Record<never, string>;
  }
}

export const CLOSINGS = table('closings', {
  notFound: 'INTERNAL_ERROR',
  sql: 'closings',
  columns: ['id', 'fromAt', 'toAt', 'auditSeq', 'currencies', 'days', 'hash', 'sealedAt'],
  lookups: {},
});

const storedOwned = ({ available, reserved, inEscrow }: Owned): StoredOwned => ({
  available: String(available),
  reserved: String(reserved),
  inEscrow: String(inEscrow),
});

export const storedFigures = (figures: Figures): StoredFigures => ({
  currency: figures.currency,
  opening: storedOwned(figures.opening),
  in: String(figures.in),
  out: String(figures.out),
  fees: String(figures.fees),
  closing: storedOwned(figures.closing),
});

const readOwned = ({ available, reserved, inEscrow }: StoredOwned): Owned => ({
  available: BigInt(available),
  reserved: BigInt(reserved),
  inEscrow: BigInt(inEscrow),
});

export const readFigures = (stored: StoredFigures): Figures => ({
  currency: stored.currency,
  opening: readOwned(stored.opening),
  in: BigInt(stored.in),
  out: BigInt(stored.out),
  fees: BigInt(stored.fees),
  closing: readOwned(stored.closing),
});

type Hashed = Omit<Sealed, 'hash' | 'sealedAt'> & { readonly marketplaceId: string };

/** Of every figure, each named, in one order. */
export const closingHash = ({ marketplaceId, id, fromAt, toAt, auditSeq, currencies, days }: Hashed): string => {
  const ordered = ({ currency, opening, closing, ...flows }: StoredFigures): unknown[] => [
    currency,
    ...[opening, closing].flatMap(({ available, reserved, inEscrow }) => [available, reserved, inEscrow]),
    ...[flows.in, flows.out, flows.fees],
  ];
  const content = [
    ...[marketplaceId, id, fromAt, toAt, String(auditSeq)],
    currencies.map(ordered),
    days.map(({ date, currencies: ofDay }) => [date, ofDay.map(ordered)]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
};
