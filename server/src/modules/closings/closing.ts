// A sealed closing: the figures of one month and of each of its days, which never change again. The hash of the figures is in the audit
// chain, so a changed figure would be noticed.

import { createHash } from 'node:crypto';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { table } from '../../commit/tables.ts';
import type { Assets, FeeCosts, Figures, Owned } from './figures.ts';

/** Amounts in units, as text: JSON has no integers of this size. */
type Stored<Amounts> = Readonly<Record<keyof Amounts, string>>;

type StoredFigures = {
  readonly currency: Currency;
  readonly opening: Stored<Owned>;
  readonly in: string;
  readonly out: string;
  readonly fees: string;
  readonly closing: Stored<Owned>;
  /** Both are absent in months that an earlier version sealed. */
  readonly costs?: Stored<FeeCosts>;
  readonly assets?: Stored<Assets>;
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

const storedOwned = ({ available, reserved, inEscrow }: Owned): Stored<Owned> => ({
  available: String(available),
  reserved: String(reserved),
  inEscrow: String(inEscrow),
});

const storedCosts = ({ reversed, network, provider }: FeeCosts): Stored<FeeCosts> => ({
  reversed: String(reversed),
  network: String(network),
  provider: String(provider),
});

const storedAssets = ({ wallets, contracts, provider }: Assets): Stored<Assets> => ({
  wallets: String(wallets),
  contracts: String(contracts),
  provider: String(provider),
});

export const storedFigures = (figures: Figures): StoredFigures => ({
  currency: figures.currency,
  opening: storedOwned(figures.opening),
  in: String(figures.in),
  out: String(figures.out),
  fees: String(figures.fees),
  closing: storedOwned(figures.closing),
  ...(figures.costs ? { costs: storedCosts(figures.costs) } : {}),
  ...(figures.assets ? { assets: storedAssets(figures.assets) } : {}),
});

const readOwned = ({ available, reserved, inEscrow }: Stored<Owned>): Owned => ({
  available: BigInt(available),
  reserved: BigInt(reserved),
  inEscrow: BigInt(inEscrow),
});

const readCosts = ({ reversed, network, provider }: Stored<FeeCosts>): FeeCosts => ({
  reversed: BigInt(reversed),
  network: BigInt(network),
  provider: BigInt(provider),
});

const readAssets = ({ wallets, contracts, provider }: Stored<Assets>): Assets => ({
  wallets: BigInt(wallets),
  contracts: BigInt(contracts),
  provider: BigInt(provider),
});

export const readFigures = (stored: StoredFigures): Figures => ({
  currency: stored.currency,
  opening: readOwned(stored.opening),
  in: BigInt(stored.in),
  out: BigInt(stored.out),
  fees: BigInt(stored.fees),
  costs: stored.costs ? readCosts(stored.costs) : null,
  closing: readOwned(stored.closing),
  assets: stored.assets ? readAssets(stored.assets) : null,
});

type Hashed = Omit<Sealed, 'hash' | 'sealedAt'> & { readonly marketplaceId: string };

/** Of every figure, in one order. Figures that an earlier version did not store are no part of its hashes. */
export const closingHash = ({ marketplaceId, id, fromAt, toAt, auditSeq, currencies, days }: Hashed): string => {
  const ordered = ({ currency, opening, closing, costs, assets, ...flows }: StoredFigures): unknown[] => [
    currency,
    ...[opening, closing].flatMap(({ available, reserved, inEscrow }) => [available, reserved, inEscrow]),
    ...[flows.in, flows.out, flows.fees],
    ...(costs ? [costs.reversed, costs.network, costs.provider] : []),
    ...(assets ? [assets.wallets, assets.contracts, assets.provider] : []),
  ];
  const content = [
    ...[marketplaceId, id, fromAt, toAt, String(auditSeq)],
    currencies.map(ordered),
    days.map(({ date, currencies: ofDay }) => [date, ofDay.map(ordered)]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
};
