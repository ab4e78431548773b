// The ledger's records as its HTTP answers show them.

import { anotherAmount, formatAmount, INT64_MAX, parseAmount } from './amounts.ts';
import { assetFields } from './assets.ts';
import { sponsoredOf, subentriesOf } from './draft.ts';
import { closedAt, ledgerHash } from './ledgers.ts';
import type { Account, Operation, Store, Transaction } from './store.ts';

export const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export function presentAccount(account: Account, { url, wrong }: { url: string; wrong: boolean }) {
  const { address } = account;
  const shown = (units: bigint) => formatAmount(wrong ? anotherAmount(units) : units);
  const lines = Object.entries(account.lines).map(([asset, { balance, limit, authorized = true, sponsor }]) => ({
    balance: shown(balance),
    limit: formatAmount(limit),
    buying_liabilities: formatAmount(0n),
    selling_liabilities: formatAmount(0n),
    last_modified_ledger: account.ledger,
    is_authorized: authorized,
    is_authorized_to_maintain_liabilities: authorized,
    ...(sponsor === undefined ? {} : { sponsor }),
    ...assetFields(asset),
  }));
  const native = {
    balance: shown(account.native),
    buying_liabilities: formatAmount(0n),
    selling_liabilities: formatAmount(0n),
    asset_type: 'native',
  };
  return {
    _links: {
      self: { href: `${url}/accounts/${address}` },
      transactions: { href: `${url}/accounts/${address}/transactions{?cursor,limit,order}`, templated: true },
      payments: { href: `${url}/accounts/${address}/payments{?cursor,limit,order}`, templated: true },
      // The official client takes `data` for a link only when it exists, and requests it for required memos.
      data: { href: `${url}/accounts/${address}/data/{key}`, templated: true },
    },
    id: address,
    account_id: address,
    sequence: String(account.sequence),
    sequence_ledger: account.ledger,
    sequence_time: String(Math.floor(account.changedAt / 1_000)),
    subentry_count: subentriesOf(account),
    last_modified_ledger: account.ledger,
    last_modified_time: iso(account.changedAt),
    thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
    flags: { auth_required: false, auth_revocable: false, auth_immutable: false, auth_clawback_enabled: false },
    balances: [...lines, native],
    signers: [{ weight: 1, key: address, type: 'ed25519_public_key' }],
    data: account.data ?? {},
    num_sponsoring: account.sponsoring ?? 0,
    num_sponsored: sponsoredOf(account),
    ...(account.sponsor === undefined ? {} : { sponsor: account.sponsor }),
    paging_token: address,
  };
}

// A fee bump is shown under the hash that was asked for: its own, or that of its inner transaction.
export function presentTransaction(transaction: Transaction, { url, hash }: { url: string; hash: string }) {
  const { memo, timeBounds, inner } = transaction;
  return {
    _links: {
      self: { href: `${url}/transactions/${hash}` },
      account: { href: `${url}/accounts/${transaction.source}` },
      ledger: { href: `${url}/ledgers/${transaction.ledger}` },
      operations: { href: `${url}/transactions/${hash}/operations{?cursor,limit,order}`, templated: true },
    },
    id: hash,
    paging_token: transaction.id,
    successful: transaction.successful,
    hash,
    ledger: transaction.ledger,
    created_at: iso(transaction.at),
    source_account: transaction.source,
    source_account_sequence: String(transaction.sequence),
    fee_account: transaction.feeAccount,
    fee_charged: String(transaction.feeCharged),
    max_fee: String(transaction.feeMax),
    operation_count: transaction.operations.length,
    envelope_xdr: transaction.envelope,
    result_xdr: transaction.result,
    memo_type: memo.type,
    ...(memo.value === null ? {} : { memo: memo.value }),
    ...(memo.type === 'text' ? { memo_bytes: Buffer.from(memo.value ?? '').toString('base64') } : {}),
    signatures: inner?.signatures ?? transaction.signatures,
    ...(timeBounds === null ? {} : bounds(timeBounds)),
    ...(inner === null ? {} : feeBump(transaction, inner)),
  };
}

function bounds({ min, max }: NonNullable<Transaction['timeBounds']>) {
  const limits = { min_time: min, ...(max === '0' ? {} : { max_time: max }) };
  return {
    valid_after: iso(Number(min) * 1_000),
    ...(max === '0' ? {} : { valid_before: iso(Number(max) * 1_000) }),
    preconditions: { timebounds: limits },
  };
}

const feeBump = ({ hash, signatures }: Transaction, inner: NonNullable<Transaction['inner']>) => ({
  fee_bump_transaction: { hash, signatures },
  inner_transaction: { hash: inner.hash, signatures: inner.signatures, max_fee: String(inner.feeMax) },
});

type OperationView = { url: string; wrong: boolean; share?: bigint };

export function presentOperation(operation: Operation, { url, wrong, share }: OperationView) {
  const { id, hash } = operation;
  return {
    _links: {
      self: { href: `${url}/operations/${id}` },
      transaction: { href: `${url}/transactions/${hash}` },
    },
    id,
    paging_token: id,
    transaction_successful: operation.successful,
    source_account: operation.source,
    type: operation.type,
    type_i: operation.typeNumber,
    created_at: iso(operation.at),
    transaction_hash: hash,
    ...(wrong ? falsified(operation.detail, share) : operation.detail),
  };
}

// The same answer with changed amounts, for the wrong-amount fault.
function falsified(detail: unknown, share?: bigint): Record<string, unknown> {
  const text = JSON.stringify(detail, (key, value) => {
    const units = key === 'amount' ? parseAmount(value) : null;
    return units === null ? value : formatAmount(anotherAmount(units, share));
  });
  return JSON.parse(text);
}

type Setting = { store: Store; url: string; passphrase: string; baseFee: number };

export function presentLedger(sequence: number, { store, url, passphrase, baseFee }: Setting) {
  const hash = ledgerHash(sequence, passphrase);
  return {
    _links: { self: { href: `${url}/ledgers/${sequence}` } },
    id: hash,
    paging_token: String(BigInt(sequence) << 32n),
    hash,
    prev_hash: ledgerHash(sequence - 1, passphrase),
    sequence,
    successful_transaction_count: 0,
    failed_transaction_count: 0,
    operation_count: 0,
    closed_at: iso(closedAt(store, sequence)),
    total_coins: formatAmount(INT64_MAX),
    fee_pool: formatAmount(0n),
    base_fee_in_stroops: baseFee,
    base_reserve_in_stroops: 5_000_000,
    max_tx_set_size: 1_000,
    protocol_version: 23,
  };
}
