// Parses a submitted envelope into the fields that the ledger needs, and computes its hash.

import { encodeMuxedAccountToAddress, FeeBumpTransaction, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk';

export type Signature = { hint: Uint8Array; bytes: Uint8Array };

export type Envelope = {
  xdr: string;
  hash: Uint8Array;
  source: string;
  sequence: bigint;
  // The maximum fee of the submitter; for a fee bump, the outer one.
  fee: bigint;
  feeSource: string;
  // The part of the fee that pays for the resources of a contract call.
  resourceFee: bigint;
  timeBounds: { min: bigint; max: bigint } | null;
  // Conditions that the simulator does not support.
  unknownConditions: boolean;
  memo: { type: string; value: string | null };
  operations: xdr.Operation[];
  signatures: Signature[];
  // The inner transaction of a fee bump.
  inner: { hash: Uint8Array; fee: bigint; signatures: Signature[] } | null;
};

type Written = { text: string; passphrase: string };

// A submission parses its envelope twice; parsing takes 0.3 ms, so the latest one is cached.
let latest: (Written & { envelope: Envelope }) | null = null;

// Throws when the text is not a transaction of the current form.
export function readEnvelope(written: Written): Envelope {
  if (latest === null || latest.text !== written.text || latest.passphrase !== written.passphrase) {
    latest = { ...written, envelope: parseEnvelope(written) };
  }
  return latest.envelope;
}

function parseEnvelope({ text, passphrase }: Written): Envelope {
  const parsed = TransactionBuilder.fromXDR(text, passphrase);
  const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
  if (envelope.type === 'envelopeTypeTxV0') throw new Error('Transactions of version 0 are not supported.');
  if (envelope.type === 'envelopeTypeTx') {
    const { tx, signatures } = envelope.v1;
    const source = readAccount(tx.sourceAccount);
    return {
      ...readTransaction(tx),
      xdr: text,
      hash: parsed.hash(),
      fee: BigInt(tx.fee),
      feeSource: source,
      signatures: readSignatures(signatures),
      inner: null,
    };
  }
  if (!(parsed instanceof FeeBumpTransaction)) throw new Error('This kind of envelope is not supported.');
  const { tx: bump, signatures } = envelope.feeBump;
  const { tx, signatures: innerSignatures } = bump.innerTx.v1;
  return {
    ...readTransaction(tx),
    xdr: text,
    hash: parsed.hash(),
    fee: bump.fee,
    feeSource: readAccount(bump.feeSource),
    signatures: readSignatures(signatures),
    inner: {
      hash: parsed.innerTransaction.hash(),
      fee: BigInt(tx.fee),
      signatures: readSignatures(innerSignatures),
    },
  };
}

// An M… address is its G… account here.
export function readAccount(account: xdr.MuxedAccount | xdr.PublicKey): string {
  const key = account.type === 'keyTypeMuxedEd25519' ? account.med25519.ed25519 : account.ed25519;
  return StrKey.encodeEd25519PublicKey(key.toBytes());
}

// The fields with which an answer shows an M… address beside its G… account.
export function muxedFields(name: string, account: xdr.MuxedAccount): Record<string, string> {
  if (account.type !== 'keyTypeMuxedEd25519') return {};
  const address = encodeMuxedAccountToAddress(account);
  return { [`${name}_muxed`]: address, [`${name}_muxed_id`]: String(account.med25519.id) };
}

function readTransaction(tx: xdr.Transaction) {
  const { cond } = tx;
  const bounds = cond.type === 'precondTime' ? cond.timeBounds : cond.type === 'precondV2' ? cond.v2.timeBounds : null;
  return {
    source: readAccount(tx.sourceAccount),
    sequence: tx.seqNum,
    resourceFee: tx.ext.type === 'sorobanData' ? tx.ext.sorobanData.resourceFee : 0n,
    timeBounds: bounds === null ? null : { min: bounds.minTime, max: bounds.maxTime },
    unknownConditions: cond.type === 'precondV2' && hasMore(cond.v2),
    memo: readMemo(tx.memo),
    operations: tx.operations,
  };
}

const hasMore = (v2: xdr.PreconditionsV2) =>
  v2.ledgerBounds !== null ||
  v2.minSeqNum !== null ||
  v2.minSeqAge !== 0n ||
  v2.minSeqLedgerGap !== 0 ||
  v2.extraSigners.length > 0;

const readSignatures = (signatures: xdr.DecoratedSignature[]): Signature[] =>
  signatures.map(({ hint, signature }) => ({ hint: hint.toBytes(), bytes: signature.toBytes() }));

function readMemo(memo: xdr.Memo): Envelope['memo'] {
  switch (memo.type) {
    case 'memoText':
      return { type: 'text', value: memo.value };
    case 'memoId':
      return { type: 'id', value: String(memo.id) };
    case 'memoHash':
      return { type: 'hash', value: Buffer.from(memo.hash.toBytes()).toString('base64') };
    case 'memoReturn':
      return { type: 'return', value: Buffer.from(memo.retHash.toBytes()).toString('base64') };
    default:
      return { type: 'none', value: null };
  }
}
