// Builds our own ledger transactions and computes the hash of every envelope before it is sent. It holds no key, signs nothing and
// sends nothing.

import { Account, Asset, Memo, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { Amount } from '../../books/money.ts';
import { formatExact } from '../../books/money.ts';
import type { LedgerAsset } from '../ledger-port.ts';

export type Terms = {
  passphrase: string;
  /** The account that pays and whose sequence number is used: its current one on the ledger. */
  source: { address: string; sequence: bigint };
  /** In the smallest unit, per operation. */
  feePerOperation: bigint;
  /** Milliseconds. After `validUntil` the envelope can no longer be included, so its outcome is then final. */
  validUntil: number;
  memo?: string;
};

export type Envelope = { unsigned: string; hash: string };

/** The network's limit of operations in one transaction. */
export const PAYMENTS_MAX = 100;

/** Creates an account with its starting balance and trustlines. Signed by the source and by the new account. */
export function buildActivation(
  terms: Terms,
  account: { address: string; startingBalance: Amount | null; trust: readonly LedgerAsset[] },
): Envelope {
  const { address, startingBalance, trust } = account;
  const creation =
    startingBalance === null
      ? []
      : [Operation.createAccount({ destination: address, startingBalance: formatExact(startingBalance) })];
  const trustlines = trust.map((asset) => Operation.changeTrust({ asset: toAsset(asset), source: address }));
  return build(terms, [...creation, ...trustlines]);
}

export type NewPayment = { to: string; asset: LedgerAsset; amount: Amount };

/** All payments or none. */
export function buildPayments(terms: Terms, payments: readonly NewPayment[]): Envelope {
  return build(
    terms,
    payments.map(({ to, asset, amount }) =>
      Operation.payment({ destination: to, asset: toAsset(asset), amount: formatExact(amount) }),
    ),
  );
}

function build(
  { passphrase, source, feePerOperation, validUntil, memo }: Terms,
  operations: xdr.Operation[],
): Envelope {
  if (operations.length === 0 || operations.length > PAYMENTS_MAX) {
    throw new Error(`A transaction has 1 to ${PAYMENTS_MAX} operations, not ${operations.length}.`);
  }
  const builder = new TransactionBuilder(new Account(source.address, String(source.sequence)), {
    fee: String(feePerOperation),
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: Math.floor(validUntil / 1_000) },
    ...(memo === undefined ? {} : { memo: Memo.text(memo) }),
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.build();
  return { unsigned: transaction.toXDR(), hash: hex(transaction.hash()) };
}

export type EnvelopeFacts = { hash: string; source: string; sequence: bigint; validUntil: number | null };

/** Null when the text is not a transaction. Signatures do not change the hash. */
export function readEnvelope(envelope: string, passphrase: string): EnvelopeFacts | null {
  try {
    const transaction = TransactionBuilder.fromXDR(envelope, passphrase);
    const inner = 'innerTransaction' in transaction ? transaction.innerTransaction : transaction;
    const maxTime = Number(inner.timeBounds?.maxTime ?? 0);
    return {
      hash: hex(transaction.hash()),
      source: inner.source,
      sequence: BigInt(inner.sequence),
      validUntil: maxTime === 0 ? null : maxTime * 1_000,
    };
  } catch {
    return null;
  }
}

export const toAsset = ({ code, issuer }: LedgerAsset): Asset =>
  issuer === null ? Asset.native() : new Asset(code, issuer);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
