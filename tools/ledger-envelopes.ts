// Builds ledger transactions for tests and measurements, and computes their hashes. The server builds its own transactions elsewhere.

import { Account, Asset, Memo, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { type Amount, formatExact } from '../server/src/books/money.ts';
import type { LedgerAsset } from '../server/src/providers/ledger-port.ts';

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

type Envelope = { unsigned: string; hash: string };

/** The network's limit of operations in one transaction. */
const PAYMENTS_MAX = 100;

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

type NewPayment = { to: string; asset: LedgerAsset; amount: Amount };

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

const toAsset = ({ code, issuer }: LedgerAsset): Asset => (issuer === null ? Asset.native() : new Asset(code, issuer));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
