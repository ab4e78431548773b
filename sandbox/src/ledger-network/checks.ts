// The checks of a transaction before it gets into a ledger, in the network's order. A transaction that fails here leaves no trace:
// no fee, no sequence number, no record.

import { spendable } from './draft.ts';
import type { Envelope } from './envelope.ts';
import { readAccount } from './envelope.ts';
import { checkSignatures } from './signatures.ts';
import type { Store } from './store.ts';

// The operation's code is set when the operation, and not the transaction, is wrong.
type Rejection = { transaction: string; operations?: string[] };

export type Terms = { store: Store; envelope: Envelope; nowMs: number; baseFee: number };

export function checkTransaction(terms: Terms): Rejection | null {
  const { store, envelope } = terms;
  if (envelope.operations.length === 0) return { transaction: 'tx_missing_operation' };
  if (envelope.unknownConditions) return { transaction: 'tx_not_supported' };
  const late = checkTime(terms);
  if (late !== null) return { transaction: late };
  if (envelope.fee < feeOf(terms)) return { transaction: 'tx_insufficient_fee' };
  const account = store.accounts.get(envelope.source);
  const payer = store.accounts.get(envelope.feeSource);
  if (account === undefined || payer === undefined) return { transaction: 'tx_no_source_account' };
  if (envelope.sequence !== account.sequence + 1n) return { transaction: 'tx_bad_seq' };
  const unsigned = checkAuthority(terms);
  if (unsigned !== null) return unsigned;
  if (spendable(payer) < feeOf(terms)) return { transaction: 'tx_insufficient_balance' };
  return null;
}

// The network charges its minimum, whatever was offered. A fee bump counts as one more operation.
export function feeOf({ envelope, baseFee }: Pick<Terms, 'envelope' | 'baseFee'>): bigint {
  const operations = envelope.operations.length + (envelope.inner === null ? 0 : 1);
  return BigInt(baseFee) * BigInt(operations) + envelope.resourceFee;
}

export const sourceOf = (envelope: Envelope, index: number): string => {
  const own = envelope.operations[index]!.sourceAccount;
  return own === null ? envelope.source : readAccount(own);
};

function checkTime({ envelope: { timeBounds }, nowMs }: Terms): string | null {
  if (timeBounds === null) return null;
  const now = BigInt(Math.floor(nowMs / 1_000));
  if (timeBounds.min > now) return 'tx_too_early';
  return timeBounds.max !== 0n && timeBounds.max < now ? 'tx_too_late' : null;
}

function checkAuthority({ envelope }: Terms): Rejection | null {
  const sources = envelope.operations.map((_, index) => sourceOf(envelope, index));
  const { hash, signatures } = envelope.inner ?? envelope;
  if (envelope.inner !== null) {
    const outer = checkSignatures(envelope.hash, { signatures: envelope.signatures, signers: [envelope.feeSource] });
    if (outer.signedBy.size === 0) return { transaction: 'tx_bad_auth' };
    if (outer.unused) return { transaction: 'tx_bad_auth_extra' };
  }
  const { signedBy, unused } = checkSignatures(hash, { signatures, signers: new Set([envelope.source, ...sources]) });
  if (!signedBy.has(envelope.source)) return { transaction: 'tx_bad_auth' };
  // The existence of an operation's account is checked when it is applied: an earlier operation may create the account.
  const operations = sources.map((source) => (signedBy.has(source) ? 'op_success' : 'op_bad_auth'));
  if (operations.some((code) => code !== 'op_success')) return { transaction: 'tx_failed', operations };
  return unused ? { transaction: 'tx_bad_auth_extra' } : null;
}
