// Reads the binary form of a transaction into plain facts that the checks compare. An operation that it cannot read completely is
// `other`. Nothing is rounded, shortened or left out.

import { createHash } from 'node:crypto';
import type { Asset, xdr } from '@stellar/stellar-sdk';
import { library } from '../../providers/network/library.ts';

export type CallFacts = {
  readonly contract: string;
  readonly fn: string;
  /** Each in its binary form as base64, which is the same for the same value. */
  readonly args: readonly string[];
  readonly authorisations: readonly string[];
};

/** Addresses in text form; an asset is `native` or `CODE:ISSUER`. A null source is the transaction's own. */
export type OperationFacts = { readonly source: string | null } & (
  | { readonly type: 'create-account'; readonly destination: string; readonly starting: bigint }
  | { readonly type: 'change-trust'; readonly asset: string; readonly limit: bigint }
  | { readonly type: 'payment'; readonly destination: string; readonly asset: string; readonly amount: bigint }
  | { readonly type: 'begin-sponsoring'; readonly sponsored: string }
  | { readonly type: 'end-sponsoring' }
  | ({ readonly type: 'call' } & CallFacts)
  | { readonly type: 'other'; readonly name: string }
);

export type TransactionFacts = {
  readonly source: string;
  readonly sequence: bigint;
  readonly fee: bigint;
  /** Null: it has none. The value as in `LedgerMemo`. */
  readonly memo: { readonly type: string; readonly value: string } | null;
  readonly bounds: { readonly from: bigint; readonly until: bigint } | null;
  /** Conditions beyond time. */
  readonly hasOtherConditions: boolean;
  /** Declares the resources of a contract call. */
  readonly declaresResources: boolean;
  /** The part of the fee that pays for the declared resources. The rest is the bid for the inclusion. */
  readonly resourceFee: bigint;
  readonly operations: readonly OperationFacts[];
};

type UnsignedTransaction = {
  readonly facts: TransactionFacts;
  /** What a signature on that network signs. */
  hash(networkPassphrase: string): Buffer;
  withSignatures(signatures: readonly { publicKey: Uint8Array; signature: Buffer }[]): string;
};

/** Null: not a transaction of the one form that we sign. */
export const readTransaction = (text: string): UnsignedTransaction | null => {
  const envelope = parse(text);
  if (envelope?.type !== 'envelopeTypeTx') return null;
  const { tx, signatures } = envelope.v1;
  return {
    facts: factsOf(tx),
    hash(networkPassphrase) {
      const networkId = createHash('sha256').update(networkPassphrase).digest();
      const tag = Buffer.from([0, 0, 0, 2]);
      return createHash('sha256').update(networkId).update(tag).update(tx.toXdr()).digest();
    },
    withSignatures(added) {
      const { xdr } = library();
      const own = added.map(
        ({ publicKey, signature }) => new xdr.DecoratedSignature({ hint: publicKey.slice(-4), signature }),
      );
      const signed = new xdr.TransactionV1Envelope({ tx, signatures: [...signatures, ...own] });
      return xdr.TransactionEnvelope.envelopeTypeTx(signed).toXdr('base64');
    },
  };
};

/** The facts of a transaction that is on the ledger, also where a fee bump wraps it. Null: it cannot be read. */
export const readIncluded = (text: string): TransactionFacts | null => {
  const envelope = parse(text);
  if (envelope?.type === 'envelopeTypeTx') return factsOf(envelope.v1.tx);
  return envelope?.type === 'envelopeTypeTxFeeBump' ? factsOf(envelope.feeBump.tx.innerTx.v1.tx) : null;
};

const parse = (text: string): xdr.TransactionEnvelope | null => {
  try {
    return library().xdr.TransactionEnvelope.fromXdr(text, 'base64');
  } catch {
    return null;
  }
};

const factsOf = (tx: xdr.Transaction): TransactionFacts => {
  const bounds = tx.cond.type === 'precondTime' ? tx.cond.timeBounds : null;
  return {
    source: library().encodeMuxedAccountToAddress(tx.sourceAccount),
    sequence: tx.seqNum,
    fee: BigInt(tx.fee),
    memo: readMemo(tx.memo),
    bounds: bounds && { from: bounds.minTime, until: bounds.maxTime },
    hasOtherConditions: tx.cond.type === 'precondV2',
    declaresResources: tx.ext.type !== 'v0',
    resourceFee: tx.ext.type === 'v0' ? 0n : BigInt(tx.ext.sorobanData.resourceFee),
    operations: tx.operations.map(operationOf),
  };
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const readMemo = (memo: xdr.Memo): TransactionFacts['memo'] => {
  switch (memo.type) {
    case 'memoNone':
      return null;
    case 'memoText':
      return { type: 'text', value: String(memo.value) };
    case 'memoId':
      return { type: 'id', value: String(memo.id) };
    case 'memoHash':
      return { type: 'hash', value: hex(memo.hash.toBytes()) };
    case 'memoReturn':
      return { type: 'return', value: hex(memo.retHash.toBytes()) };
  }
};

const operationOf = ({ sourceAccount, body }: xdr.Operation): OperationFacts => {
  const source = sourceAccount ? library().encodeMuxedAccountToAddress(sourceAccount) : null;
  switch (body.type) {
    case 'createAccount': {
      const { destination, startingBalance } = body.createAccountOp;
      return { source, type: 'create-account', destination: accountOf(destination), starting: startingBalance };
    }
    case 'changeTrust': {
      const { line, limit } = body.changeTrustOp;
      if (line.type === 'assetTypePoolShare') return { source, type: 'other', name: 'changeTrust of a pool' };
      return { source, type: 'change-trust', asset: assetOf(line), limit };
    }
    case 'payment': {
      const { destination, asset, amount } = body.paymentOp;
      const to = library().encodeMuxedAccountToAddress(destination);
      return { source, type: 'payment', destination: to, asset: assetOf(asset), amount };
    }
    case 'beginSponsoringFutureReserves': {
      const { sponsoredId } = body.beginSponsoringFutureReservesOp;
      return { source, type: 'begin-sponsoring', sponsored: accountOf(sponsoredId) };
    }
    case 'endSponsoringFutureReserves':
      return { source, type: 'end-sponsoring' };
    case 'invokeHostFunction': {
      const { hostFunction, auth } = body.invokeHostFunctionOp;
      if (hostFunction.type !== 'hostFunctionTypeInvokeContract') {
        return { source, type: 'other', name: hostFunction.type };
      }
      const { contractAddress, functionName, args } = hostFunction.invokeContract;
      return {
        source,
        type: 'call',
        contract: library().Address.fromScAddress(contractAddress).toString(),
        fn: String(functionName),
        args: args.map((value) => value.toXdr('base64')),
        authorisations: auth.map((entry) => entry.toXdr('base64')),
      };
    }
    default:
      return { source, type: 'other', name: body.type };
  }
};

const accountOf = (key: xdr.PublicKey): string => library().StrKey.encodeEd25519PublicKey(key.ed25519.toBytes());

const assetOf = (asset: Parameters<typeof Asset.fromOperation>[0]): string =>
  library().Asset.fromOperation(asset).toString();
