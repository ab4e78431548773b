// Builds the ledger transactions we make ourselves and knows every envelope's hash before it is sent. Builds and hashes
// only: it holds no key, signs nothing and sends nothing.

import { Account, Asset, Memo, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { Amount } from '../../books/money.ts';
import { formatExact } from '../../books/money.ts';
import type { LedgerAsset } from '../ledger-port.ts';

export type Terms = {
  passphrase: string;
  /** Who pays and whose sequence number is used: its present one, as the ledger has it. */
  source: { address: string; sequence: bigint };
  /** In the smallest unit, per operation. */
  feePerOperation: bigint;
  /** Milliseconds. After `validUntil` the envelope can no longer be included, which ends every doubt about it. */
  validUntil: number;
  memo?: string;
};

export type Envelope = { unsigned: string; hash: string };

/** The network takes no more operations in one transaction. */
export const PAYMENTS_MAX = 100;

/** A new account with what it needs to live, trusting the assets. Signed by the source and by the newcomer. */
export function buildActivation(
  terms: Terms,
  newcomer: { address: string; startingBalance: Amount | null; trust: readonly LedgerAsset[] },
): Envelope {
  const { address, startingBalance, trust } = newcomer;
  const birth =
    startingBalance === null
      ? []
      : [Operation.createAccount({ destination: address, startingBalance: formatExact(startingBalance) })];
  const lines = trust.map((asset) => Operation.changeTrust({ asset: toAsset(asset), source: address }));
  return build(terms, [...birth, ...lines]);
}

export type NewPayment = { to: string; asset: LedgerAsset; amount: Amount };

/** All of them or none. */
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

/** Null when the text is no transaction. Signatures do not change the hash. */
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
