// Ledgers close by time, one every five seconds, with or without transactions. Their numbers need no storage: they follow from the
// clock and the start time of the network.

import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

const CLOSE_MS = 5_000;

export type Place = { ledger: number; index: number; at: number };

export function currentLedger(store: Store, nowMs: number): number {
  return Math.max(store.meta.get('ledger') ?? 0, ledgerAt(store, nowMs));
}

// The ledger of a moment, also of a past one.
export function ledgerAt(store: Store, atMs: number): number {
  const born = store.meta.get('bornAt') ?? atMs;
  return 2 + Math.floor(Math.max(atMs - born, 0) / CLOSE_MS);
}

// The next free position in the open ledger.
export function nextPlace(store: Store, nowMs: number): Place {
  const ledger = currentLedger(store, nowMs);
  const index = store.meta.get('ledger') === ledger ? store.meta.get('index')! + 1 : 1;
  return { ledger, index, at: nowMs };
}

export function takePlace(store: Store, { ledger, index }: Place): void {
  store.meta.set('ledger', ledger);
  store.meta.set('index', index);
}

// One growing number over all ledgers: 32 bits for the ledger, 20 for the transaction, 12 for the operation.
export const idAt = ({ ledger, index }: Place, operation = 0): string =>
  String((BigInt(ledger) << 32n) | (BigInt(index) << 12n) | BigInt(operation));

export const closedAt = (store: Store, ledger: number): number =>
  (store.meta.get('bornAt') ?? 0) + (ledger - 2) * CLOSE_MS;

export const ledgerHash = (ledger: number, passphrase: string): string =>
  createHash('sha256').update(`${passphrase} ${ledger}`).digest('hex');
