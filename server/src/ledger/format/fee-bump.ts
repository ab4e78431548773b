// A fee bump in its binary form: a signed transaction, unchanged, inside an envelope whose signer pays a higher fee for it. The hash of the
// inner transaction stays, and the ledger can include it only once, with or without the bump.

import type { xdr } from '@stellar/stellar-sdk';
import type { Amount } from '../../books/money.ts';
import { library } from '../../providers/network/library.ts';

type Terms = {
  readonly networkPassphrase: string;
  /** The account that pays the fee. */
  readonly payer: string;
  /** The highest fee for each operation; the bump itself counts as one more. */
  readonly feePerOperation: Amount;
  /** The signed envelope that the ledger does not include. */
  readonly envelope: string;
};

export const buildFeeBump = ({ networkPassphrase, payer, feePerOperation, envelope }: Terms): string => {
  const { TransactionBuilder } = library();
  const inner = TransactionBuilder.fromXDR(envelope, networkPassphrase);
  if ('innerTransaction' in inner) throw new Error('a fee bump cannot be bumped');
  return TransactionBuilder.buildFeeBumpTransaction(payer, String(feePerOperation), inner, networkPassphrase).toXDR();
};

type FeeBump = {
  readonly payer: string;
  readonly fee: bigint;
  /** The inner envelope, as it was signed. */
  readonly envelope: string;
  readonly signatures: number;
  hash(networkPassphrase: string): Buffer;
  withSignature(signature: { readonly publicKey: Uint8Array; readonly signature: Buffer }): string;
};

/** Null: not a fee bump. */
export const readFeeBump = (text: string): FeeBump | null => {
  const envelope = parse(text);
  if (envelope?.type !== 'envelopeTypeTxFeeBump') return null;
  const { encodeMuxedAccountToAddress, TransactionBuilder, xdr } = library();
  const { tx, signatures } = envelope.feeBump;
  return {
    payer: encodeMuxedAccountToAddress(tx.feeSource),
    fee: tx.fee,
    envelope: xdr.TransactionEnvelope.envelopeTypeTx(tx.innerTx.v1).toXdr('base64'),
    signatures: signatures.length,
    hash: (networkPassphrase) => Buffer.from(TransactionBuilder.fromXDR(text, networkPassphrase).hash()),
    withSignature: ({ publicKey, signature }) =>
      xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
        new xdr.FeeBumpTransactionEnvelope({
          tx,
          signatures: [new xdr.DecoratedSignature({ hint: publicKey.slice(-4), signature })],
        }),
      ).toXdr('base64'),
  };
};

const parse = (text: string): xdr.TransactionEnvelope | null => {
  try {
    return library().xdr.TransactionEnvelope.fromXdr(text, 'base64');
  } catch {
    return null;
  }
};
