// Finds out what a transaction of the ledger was for, when our rows do not know it: the actions that it carried out, matched with the
// requests that are still open, and the payments that no request explains. It moves no money.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { AccountTransaction, LedgerAsset } from '../../providers/ports.ts';
import { readEscrowCall } from '../format/read-escrow-call.ts';
import {
  type CallFacts,
  type OperationFacts,
  readIncluded,
  type TransactionFacts,
} from '../format/read-transaction.ts';
import { type Ledger, movesAsset } from '../transactions/ledger.ts';
import type { LedgerAction } from '../transactions/ledger-transaction.ts';
import { type AdoptionReads, escrowActionOf } from './queries.ts';

export type MatchOptions = {
  readonly reads: AdoptionReads;
  readonly ledger: Pick<Ledger, 'paymentsOf'>;
  readonly usdc: LedgerAsset;
  readonly networkPassphrase: string;
  /** The currency of the books for a payment in the asset that no request explains. */
  readonly usdcCurrency: Currency;
  readonly beginEscrow?: BeginForgottenEscrow;
};

/** Begins the escrow of an order whose contract is on the ledger, when the order waits for one. False: it does not. */
export type BeginForgottenEscrow = (of: { marketplaceId: string; orderId: string }) => Promise<boolean>;

/** A payment that no request explains: to an address outside, or to the wallet of another user. */
export type Unexplained = { readonly to: string; readonly asset: 'USDC' | 'XLM'; readonly units: string };

type Matched = { readonly actions: readonly LedgerAction[]; readonly unexplained: readonly Unexplained[] };

type Place = {
  readonly marketplaceId: string;
  readonly transaction: AccountTransaction;
  readonly memo: TransactionFacts['memo'];
  /** The requests that earlier operations of the transaction were for. */
  readonly taken: string[];
  /** The accounts that earlier operations began to sponsor, and those that they created. */
  readonly sponsored: string[];
  readonly created: string[];
};
type Moved = { readonly to: string; readonly asset: 'USDC' | 'XLM'; readonly units: bigint };

const NOTHING: Matched = { actions: [], unexplained: [] };

const joined = (all: readonly Matched[]): Matched => ({
  actions: all.flatMap(({ actions }) => actions),
  unexplained: all.flatMap((matched) => matched.unexplained),
});

const only = (action: LedgerAction): Matched => ({ actions: [action], unexplained: [] });

const currencyOf = (asset: 'USDC' | 'XLM', { usdcCurrency }: MatchOptions): Currency =>
  asset === 'XLM' ? 'XLM' : usdcCurrency;

/** Booked only when an operator has accepted it, as a loss of the operator. */
const unexplained = (options: MatchOptions, moved: Moved): Matched => {
  const { to, asset } = moved;
  const units = String(moved.units);
  const currency = currencyOf(asset, options);
  return {
    actions: [{ type: 'pay', to, asset, currency, units, paymentId: null, outside: true }],
    unexplained: [{ to, asset, units }],
  };
};

const matchPayment = async (options: MatchOptions, { place, moved }: { place: Place; moved: Moved }) => {
  const { reads } = options;
  const { marketplaceId, transaction, taken } = place;
  const { to, asset } = moved;
  const asked = { ...moved, marketplaceId, at: transaction.at, taken };
  const pay = { type: 'pay', to, asset, units: String(moved.units), paymentId: null } as const;
  const withdrawal = await reads.withdrawal({ from: transaction.source, memo: place.memo }, asked);
  if (withdrawal) {
    const { id: withdrawalId, currency } = withdrawal;
    taken.push(withdrawalId);
    return only({ ...pay, currency, outside: true, withdrawalId });
  }
  // The wallet of a user pays only withdrawals, also where the receiver is another user.
  const isInside = (await reads.wallets(marketplaceId, [to])).has(to);
  if (!isInside || (await reads.isOfUser(marketplaceId, transaction.source))) return unexplained(options, moved);
  const request = await reads.treasuryPayment(asked);
  if (request) taken.push(request.id);
  return only({ ...pay, currency: request?.currency ?? currencyOf(asset, options), paymentId: request?.id ?? null });
};

const matchCreation = async (options: MatchOptions, { place, moved }: { place: Place; moved: Moved }) => {
  const { reads } = options;
  const { marketplaceId, transaction, taken } = place;
  const { to: address, units } = moved;
  place.created.push(address);
  const walletId = (await reads.wallets(marketplaceId, [address])).get(address);
  // An account that begins with nothing took no money.
  if (walletId === undefined) return units === 0n ? NOTHING : unexplained(options, moved);
  const request = await reads.treasuryPayment({ ...moved, marketplaceId, at: transaction.at, taken });
  if (request) taken.push(request.id);
  const paymentId = request?.id ?? null;
  const sponsors = place.sponsored.includes(address) ? ({ sponsors: 'account' } as const) : {};
  return only({ type: 'activate', walletId, address, units: String(units), paymentId, ...sponsors });
};

/** The trustline of a wallet whose account existed already. */
const matchSponsoredTrust = async ({ reads }: MatchOptions, { place, address }: { place: Place; address: string }) => {
  const { marketplaceId, transaction, taken, sponsored, created } = place;
  if (!sponsored.includes(address) || created.includes(address)) return NOTHING;
  const walletId = (await reads.wallets(marketplaceId, [address])).get(address);
  if (walletId === undefined) return NOTHING;
  const moved = { to: address, asset: 'XLM', units: 0n } as const;
  const request = await reads.treasuryPayment({ ...moved, marketplaceId, at: transaction.at, taken });
  if (request) taken.push(request.id);
  const paymentId = request?.id ?? null;
  return only({ type: 'activate', walletId, address, units: '0', paymentId, sponsors: 'trustline' });
};

/**
 * What a call took from the wallet, when no escrow of ours explains the call. The call itself does not have to name the asset, so the
 * ledger says what moved. Null: the ledger does not show it now.
 */
const matchMoves = async (options: MatchOptions, { transaction }: Place): Promise<Matched | null> => {
  const { source, hash } = transaction;
  const moved = await options.ledger.paymentsOf(hash);
  if (moved.kind !== 'yes') return null;
  const all = moved.value.flatMap(({ from, to, asset: of, amount }) => {
    const asset = of.issuer === null ? 'XLM' : 'USDC';
    const isOurs = movesAsset({ asset: of }, { asset, usdc: options.usdc });
    return from === source && to !== null && isOurs ? [unexplained(options, { to, asset, units: amount })] : [];
  });
  return joined(all);
};

/** The escrow that a contract was deployed for. Its row may be lost together with the request that began it. */
const escrowOfDeployment = async (
  { reads, beginEscrow }: MatchOptions,
  { marketplaceId, orderId }: { marketplaceId: string; orderId: string },
) => {
  const known = await reads.undeployedEscrow(marketplaceId, orderId);
  const isBegun = known === null && (await beginEscrow?.({ marketplaceId, orderId })) === true;
  return isBegun ? reads.undeployedEscrow(marketplaceId, orderId) : known;
};

const matchCall = async (options: MatchOptions, { place, facts }: { place: Place; facts: CallFacts }) => {
  const { reads, networkPassphrase } = options;
  const { marketplaceId } = place;
  const read = readEscrowCall(facts, networkPassphrase);
  if (read === null) return matchMoves(options, place);
  const { orderId, shares, ...call } = read;
  const escrow =
    orderId === null
      ? await reads.escrowOfContract(marketplaceId, read.contractId)
      : await escrowOfDeployment(options, { marketplaceId, orderId });
  if (escrow) return only(escrowActionOf(escrow, { ...call, ...(shares ? { shares } : {}) }));
  // Only a funding takes money from our wallet.
  return read.units === null ? NOTHING : matchMoves(options, place);
};

const matchTrust = async ({ reads }: MatchOptions, { marketplaceId, transaction }: Place): Promise<Matched> => {
  const { source } = transaction;
  const walletId = (await reads.wallets(marketplaceId, [source])).get(source);
  return walletId === undefined ? NOTHING : only({ type: 'trust', walletId });
};

export const createMatching = (options: MatchOptions) => {
  const { usdc } = options;
  const assetIn = (text: string): 'USDC' | 'XLM' | null => {
    if (text === 'native') return 'XLM';
    return text === `${usdc.code}:${usdc.issuer}` ? 'USDC' : null;
  };

  const matchOperation = async (place: Place, facts: OperationFacts): Promise<Matched | null> => {
    switch (facts.type) {
      case 'create-account':
        return matchCreation(options, { place, moved: { to: facts.destination, asset: 'XLM', units: facts.starting } });
      case 'payment': {
        const asset = assetIn(facts.asset);
        if (asset === null) return NOTHING;
        return matchPayment(options, { place, moved: { to: facts.destination, asset, units: facts.amount } });
      }
      case 'change-trust': {
        const { source } = facts;
        const isOwn = source === null || source === place.transaction.source;
        return isOwn ? matchTrust(options, place) : matchSponsoredTrust(options, { place, address: source });
      }
      case 'begin-sponsoring':
        place.sponsored.push(facts.sponsored);
        return NOTHING;
      case 'end-sponsoring':
        return NOTHING;
      case 'call':
        return matchCall(options, { place, facts });
      case 'other':
        return NOTHING;
    }
  };

  /** Null: the envelope, or what it moved, cannot be read. */
  return async (of: Pick<Place, 'marketplaceId' | 'transaction'>): Promise<Matched | null> => {
    const facts = readIncluded(of.transaction.envelope);
    if (!facts) return null;
    if (!of.transaction.successful) return NOTHING;
    const place = { ...of, memo: facts.memo, taken: [], sponsored: [], created: [] };
    const all: Matched[] = [];
    for (const operation of facts.operations) {
      const matched = await matchOperation(place, operation);
      if (matched === null) return null;
      all.push(matched);
    }
    return joined(all);
  };
};
