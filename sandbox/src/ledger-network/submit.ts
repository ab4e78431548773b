// The processing of a submitted envelope: parsed, checked, applied completely or not at all, and recorded with its outcome. The same
// envelope again gets the first outcome. A failure after the checks still costs the fee and the sequence number.

import type { Fees } from '../network-fees.ts';
import { applyOperation } from './apply-operation.ts';
import { checkTransaction, feeOf, sourceOf } from './checks.ts';
import { describeOperation } from './describe-operation.ts';
import { type Draft, type Move, openDraft } from './draft.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { ContractFailure, OperationFailure } from './failures.ts';
import type { Machine } from './invoke.ts';
import { idAt, nextPlace, type Place, takePlace } from './ledgers.ts';
import { type Codes, writeResult } from './result-xdr.ts';
import { beginnerOf } from './sponsorship.ts';
import type { Store, Transaction } from './store.ts';

export type Network = {
  store: Store;
  passphrase: string;
  baseFee: number;
  fees: Fees;
  now: () => number;
  programs: Machine['programs'];
  tokens: Machine['tokens'];
};

export type Outcome =
  | { kind: 'malformed'; sentence: string }
  | { kind: 'rejected'; hash: string; codes: Codes; result: string }
  // Neither refused nor in a ledger: the bid is below the price.
  | { kind: 'waiting'; hash: string }
  | { kind: 'recorded'; first: boolean; transaction: Transaction };

export type Twist = {
  // The amount that is paid instead of the requested one.
  alter?: (amount: bigint) => bigint;
  // The code with which every operation fails.
  fail?: string;
  // A payment of the simulator itself, which the price of the network does not concern.
  free?: boolean;
};

export function submit(network: Network, { text, twist = {} }: { text: string; twist?: Twist }): Outcome {
  let envelope: Envelope;
  try {
    envelope = readEnvelope({ text, passphrase: network.passphrase });
  } catch (error) {
    return { kind: 'malformed', sentence: error instanceof Error ? error.message : String(error) };
  }
  const { store } = network;
  const hash = toHex(envelope.hash);
  const known = store.transactions.get(hash);
  if (known !== undefined) return { kind: 'recorded', first: false, transaction: known };
  const at = network.now();
  const { perOperation: baseFee, waits } = twist.free
    ? { perOperation: network.baseFee, waits: false }
    : network.fees.take(envelope.source);
  const rejection = checkTransaction({ store, envelope, nowMs: at, baseFee });
  if (rejection?.transaction === 'tx_insufficient_fee' && waits) return { kind: 'waiting', hash };
  if (rejection !== null) {
    const codes = wrapped(envelope, rejection);
    return { kind: 'rejected', hash, codes, result: resultOf({ envelope, codes, feeCharged: 0n }) };
  }
  return {
    kind: 'recorded',
    first: true,
    transaction: include(network, { envelope, twist, place: nextPlace(store, at), baseFee }),
  };
}

type Inclusion = { envelope: Envelope; twist: Twist; place: Place; baseFee: number };

function include(network: Network, { envelope, twist, place, baseFee }: Inclusion): Transaction {
  const { store } = network;
  const feeCharged = feeOf({ envelope, baseFee });
  takePlace(store, place);
  charge(openDraft(store), { envelope, feeCharged, place });
  const draft = openDraft(store);
  const { codes, moves, reason } = applyAll(network, { envelope, draft, twist, place });
  const applied = codes.every((code) => code === 'op_success');
  // Every sponsorship has to end in the transaction that began it.
  const successful = applied && draft.sponsors.size === 0;
  if (successful) draft.commit(place);
  const sourced = envelope.operations.map((operation, index) => ({ operation, source: sourceOf(envelope, index) }));
  const steps = sourced.map(({ operation, source }, index) => {
    const sponsor = beginnerOf(sourced.slice(0, index), source);
    const described = describeOperation({ operation, source, sponsor, moves: successful ? moves[index]! : [] });
    const moved = successful ? { merged: mergedBy(described.type, moves[index]!) } : {};
    return {
      id: idAt(place, index + 1),
      hash: toHex(envelope.hash),
      successful,
      at: place.at,
      source,
      ...described,
      ...moved,
    };
  });
  const outcome = wrapped(envelope, codesOf({ codes, applied, successful }));
  const transaction: Transaction = {
    hash: toHex(envelope.hash),
    id: idAt(place),
    successful,
    ledger: place.ledger,
    at: place.at,
    source: envelope.source,
    sequence: envelope.sequence,
    feeAccount: envelope.feeSource,
    feeCharged,
    feeMax: envelope.fee,
    inner: innerOf(envelope),
    operations: steps.map(({ id }) => id),
    envelope: envelope.xdr,
    result: resultOf({ envelope, codes: outcome, feeCharged, merged: steps.map(({ merged }) => merged ?? null) }),
    codes: outcome,
    memo: envelope.memo,
    signatures: envelope.signatures.map(({ bytes }) => toBase64(bytes)),
    timeBounds: boundsOf(envelope),
    reason,
  };
  store.record(transaction, steps);
  return transaction;
}

function codesOf({ codes, applied, successful }: { codes: string[]; applied: boolean; successful: boolean }): Codes {
  if (successful) return { transaction: 'tx_success', operations: codes };
  return applied ? { transaction: 'tx_bad_sponsorship' } : { transaction: 'tx_failed', operations: codes };
}

type Charge = { envelope: Envelope; feeCharged: bigint; place: Place };

function charge(draft: Draft, { envelope, feeCharged, place }: Charge): void {
  draft.account(envelope.feeSource)!.native -= feeCharged;
  draft.account(envelope.source)!.sequence = envelope.sequence;
  draft.commit(place);
}

// Every operation is tried, so that the caller sees all problems.
function applyAll(network: Network, { envelope, draft, twist, place }: Omit<Inclusion, 'baseFee'> & { draft: Draft }) {
  const { programs, tokens } = network;
  const machine: Machine = { ...place, programs, tokens, alter: twist.alter ?? ((amount) => amount) };
  let reason: string | null = null;
  const moves: Move[][] = [];
  const codes = envelope.operations.map((operation, index) => {
    if (twist.fail !== undefined) return twist.fail;
    try {
      moves[index] = applyOperation({ operation, source: sourceOf(envelope, index), draft, machine });
      return 'op_success';
    } catch (error) {
      if (error instanceof OperationFailure) return error.code;
      // Arguments that a program cannot read stop it like any other error.
      const trapped = error instanceof ContractFailure || operation.body.type === 'invokeHostFunction';
      if (!trapped || !(error instanceof Error)) throw error;
      reason ??= error.message;
      return 'function_trapped';
    }
  });
  return { codes, moves, reason };
}

function wrapped({ inner }: Envelope, codes: Codes): Codes {
  if (inner === null) return codes;
  const good = codes.transaction === 'tx_success';
  const transaction = good ? 'tx_fee_bump_inner_success' : 'tx_fee_bump_inner_failed';
  return { ...codes, transaction, inner_transaction: codes.transaction };
}

// The network's list of payments does not show what a merged account had.
const mergedBy = (type: string, [move]: Move[]): bigint | null =>
  type === 'account_merge' && move !== undefined ? move.amount : null;

type Result = { envelope: Envelope; codes: Codes; feeCharged: bigint; merged?: (bigint | null)[] };

const resultOf = ({ envelope, codes, feeCharged, merged = [] }: Result) =>
  writeResult({ codes, operations: envelope.operations, merged, feeCharged, innerHash: envelope.inner?.hash ?? null });

function innerOf({ inner }: Envelope): Transaction['inner'] {
  if (inner === null) return null;
  const signatures = inner.signatures.map(({ bytes }) => toBase64(bytes));
  return { hash: toHex(inner.hash), feeMax: inner.fee, signatures };
}

const boundsOf = ({ timeBounds }: Envelope): Transaction['timeBounds'] =>
  timeBounds === null ? null : { min: String(timeBounds.min), max: String(timeBounds.max) };

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
