// Raises the fee of a transaction that the network does not include: the treasury pays for it with a fee bump. The transaction itself, its
// hash and its signatures stay as they are. A contract call is not bumped: its provider accepts no fee bump, and prepares the call again
// with a new fee when the first one has expired.

import { type Amount, fromUnits } from '../../books/money.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import { buildFeeBump } from '../format/fee-bump.ts';
import { readTransaction } from '../format/read-transaction.ts';
import type { Signer } from '../keys/signer.ts';
import type { Wallet } from '../keys/wallet.ts';
import { ActionRefused } from './action-owners.ts';
import { escrowActionIn } from './contract-moves.ts';
import type { FeeBids } from './fee-bids.ts';
import { contextOf } from './finish-transaction.ts';
import type { Ledger } from './ledger.ts';
import { recordBump } from './ledger-bump.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { LedgerTransactionReads } from './queries.ts';

type Stuck = {
  readonly marketplaceId: string;
  readonly transaction: LedgerTransaction;
  /** The network refused the bid. Otherwise the transaction waits in the queue of the network. */
  readonly isRefused: boolean;
};

/** True: a bump was submitted, and the outcome is worth another look. */
export type BumpTransaction = (stuck: Stuck) => Promise<boolean>;

export type BumpOptions = {
  readonly submit: Submit;
  readonly ledger: Pick<Ledger, 'passphrase' | 'submit'>;
  readonly signer: Pick<Signer, 'signBump'>;
  readonly feeBids: Pick<FeeBids, 'urgent' | 'bumped' | 'state'>;
  readonly transactions: Pick<LedgerTransactionReads, 'highestBump'>;
  /** The wallet that pays the fee, when it is active. */
  findPayer(marketplaceId: string): Promise<Wallet | null>;
  /** How long a transaction may wait before it is bumped. */
  readonly bumpAfterMs?: number;
  onTrouble(message: string, error: unknown): void;
};

/** Two ledgers. */
const BUMP_AFTER_MS = 10_000;
/** The network replaces a transaction in its queue only for ten times the bid. */
const REPLACEMENT = 10n;

const innerBid = ({ envelope }: LedgerTransaction): { bid: Amount; operations: bigint } | null => {
  const facts = readTransaction(envelope)?.facts;
  if (!facts || facts.operations.length === 0) return null;
  const operations = BigInt(facts.operations.length);
  return { bid: fromUnits(facts.fee / operations), operations };
};

export const createBump = (options: BumpOptions): BumpTransaction => {
  const { ledger, signer, feeBids, transactions, bumpAfterMs = BUMP_AFTER_MS } = options;

  /** Null: the present bid is high enough, or no bid within the limit would help. */
  const bidFor = async ({ isRefused }: Stuck, present: Amount): Promise<Amount | null> => {
    const urgent = await feeBids.urgent();
    if (urgent.kind !== 'yes' || urgent.value.price <= present) return null;
    const replacing = isRefused ? present : fromUnits(present * REPLACEMENT);
    const bid = urgent.value.bid > replacing ? urgent.value.bid : replacing;
    return bid > feeBids.state().limit || bid <= present ? null : bid;
  };

  const bump = async (stuck: Stuck): Promise<boolean> => {
    const { marketplaceId, transaction } = stuck;
    const inner = innerBid(transaction);
    const payer = await options.findPayer(marketplaceId);
    if (!inner || payer?.status !== 'ACTIVE') return false;
    const earlier = await transactions.highestBump(marketplaceId, transaction.id);
    const bid = await bidFor(stuck, earlier && earlier.bid > inner.bid ? earlier.bid : inner.bid);
    if (bid === null) return false;
    const terms = { networkPassphrase: ledger.passphrase, payer: payer.address, feePerOperation: bid };
    const signed = await signer.signBump({
      marketplaceId,
      envelopeXdr: buildFeeBump({ ...terms, envelope: transaction.envelope }),
      inner: transaction.envelope,
      wallet: payer,
      feeMax: fromUnits(bid * (inner.operations + 1n)),
    });
    if (signed.kind === 'no') throw new Error(signed.reason);
    const { hash: id, envelopeXdr: envelope } = signed.value;
    const input = { id, transactionId: transaction.id, envelope, bid, payer: payer.address };
    await runCommand(options.submit, {
      command: recordBump,
      input,
      context: contextOf(marketplaceId, transaction.id),
    });
    feeBids.bumped();
    await ledger.submit(envelope);
    return true;
  };

  return async (stuck) => {
    const { transaction, isRefused } = stuck;
    if (escrowActionIn(transaction.actions)) return false;
    const waitedMs = Date.now() - Date.parse(transaction.createdAt);
    if (!isRefused && waitedMs < bumpAfterMs) return false;
    try {
      return await bump(stuck);
    } catch (error) {
      // Another process has settled the transaction. Any other failure costs only time: the transaction stays open.
      if (!(error instanceof ActionRefused)) options.onTrouble('the fee of a transaction could not be raised', error);
      return error instanceof ActionRefused;
    }
  };
};
