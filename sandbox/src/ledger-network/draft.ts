// A copy of the accounts and contracts that one transaction touches. Nothing is visible outside before the commit, so a transaction
// is applied completely or not at all. Money only ever moves here, from one holder to another.

import { INT64_MAX } from './amounts.ts';
import { type AssetName, isIssuer, NATIVE } from './assets.ts';
import type { Account, Contract, Store } from './store.ts';

// Two base reserves for the account itself and one for each trustline and data entry, less those that a sponsor locks, and those that it
// locks for others.
export const ACCOUNT_RESERVES = 2;
const BASE_RESERVE = 5_000_000n;

export type Move = { asset: AssetName; from: string; to: string; amount: bigint };

export type MoveProblem =
  | 'underfunded'
  | 'src_no_trust'
  | 'src_not_authorized'
  | 'no_destination'
  | 'no_trust'
  | 'not_authorized'
  | 'line_full';

export type Draft = {
  account(address: string): Account | undefined;
  contract(address: string): Contract | undefined;
  add(entry: Account | Contract): void;
  // Only of an account.
  remove(address: string): void;
  // null on success.
  move(move: Move): MoveProblem | null;
  balance(holder: string, asset: AssetName): bigint;
  // By sponsored account, its sponsor: begun and not ended yet.
  sponsors: Map<string, string>;
  commit(stamp: { ledger: number; at: number }): void;
};

export const subentriesOf = ({ lines, data = {} }: Account): number =>
  Object.keys(lines).length + Object.keys(data).length;

export const sponsoredOf = ({ sponsor, lines }: Account): number =>
  (sponsor === undefined ? 0 : ACCOUNT_RESERVES) +
  Object.values(lines).filter((line) => line.sponsor !== undefined).length;

export const reserveOf = (account: Account): bigint =>
  BASE_RESERVE * BigInt(ACCOUNT_RESERVES + subentriesOf(account) + (account.sponsoring ?? 0) - sponsoredOf(account));

export const spendable = (account: Account): bigint => account.native - reserveOf(account);

export function openDraft(store: Store): Draft {
  const accounts = new Map<string, Account>();
  const contracts = new Map<string, Contract>();
  const removed = new Set<string>();

  const account: Draft['account'] = (address) => {
    if (removed.has(address)) return undefined;
    const copied = accounts.get(address);
    if (copied !== undefined) return copied;
    const kept = store.accounts.get(address);
    if (kept === undefined) return undefined;
    const copy = { ...kept, lines: structuredClone(kept.lines), data: { ...kept.data } };
    accounts.set(address, copy);
    return copy;
  };
  const contract: Draft['contract'] = (address) => {
    const copied = contracts.get(address);
    if (copied !== undefined) return copied;
    const kept = store.contracts.get(address);
    if (kept === undefined) return undefined;
    const copy = structuredClone(kept);
    contracts.set(address, copy);
    return copy;
  };
  const { take, give, balance } = moneyOf({ account, contract });

  return {
    account,
    contract,
    add(entry) {
      if ('program' in entry) contracts.set(entry.address, entry);
      else accounts.set(entry.address, entry);
      removed.delete(entry.address);
    },
    remove(address) {
      accounts.delete(address);
      removed.add(address);
    },
    // The network checks the receiver first.
    move: (move) => give(move) ?? take(move),
    balance,
    sponsors: new Map(),
    commit({ ledger, at }) {
      for (const address of removed) store.accounts.delete(address);
      for (const entry of accounts.values()) store.accounts.set(entry.address, { ...entry, ledger, changedAt: at });
      for (const entry of contracts.values()) {
        const changed = { ...entry, changedAt: at };
        if (store.contracts.has(entry.address)) store.contracts.set(entry.address, changed);
        else store.create(changed);
      }
    },
  };
}

// Changes and reads the balances of the copies.
function moneyOf({ account, contract }: Pick<Draft, 'account' | 'contract'>) {
  const take = ({ asset, from, amount }: Move): MoveProblem | null => {
    if (isIssuer(from, asset)) return null;
    const held = from.startsWith('C') ? contract(from) : undefined;
    if (held !== undefined) {
      const left = (held.balances[asset] ?? 0n) - amount;
      held.balances[asset] = left;
      return left < 0n ? 'underfunded' : null;
    }
    const payer = account(from)!;
    if (asset === NATIVE) {
      payer.native -= amount;
      return payer.native < reserveOf(payer) ? 'underfunded' : null;
    }
    const line = payer.lines[asset];
    if (line === undefined) return 'src_no_trust';
    if (line.authorized === false) return 'src_not_authorized';
    line.balance -= amount;
    return line.balance < 0n ? 'underfunded' : null;
  };

  const give = ({ asset, to, amount }: Move): MoveProblem | null => {
    if (isIssuer(to, asset)) return null;
    if (to.startsWith('C')) {
      const holder = contract(to);
      if (holder === undefined) return 'no_destination';
      holder.balances[asset] = (holder.balances[asset] ?? 0n) + amount;
      return null;
    }
    const payee = account(to);
    if (payee === undefined) return 'no_destination';
    if (asset === NATIVE) {
      payee.native += amount;
      return payee.native > INT64_MAX ? 'line_full' : null;
    }
    const line = payee.lines[asset];
    if (line === undefined) return 'no_trust';
    if (line.authorized === false) return 'not_authorized';
    line.balance += amount;
    return line.balance > line.limit ? 'line_full' : null;
  };

  const balance: Draft['balance'] = (holder, asset) => {
    if (holder.startsWith('C')) return contract(holder)?.balances[asset] ?? 0n;
    if (isIssuer(holder, asset)) return INT64_MAX;
    const found = account(holder);
    if (found === undefined) return 0n;
    return asset === NATIVE ? spendable(found) : (found.lines[asset]?.balance ?? 0n);
  };

  return { take, give, balance };
}
