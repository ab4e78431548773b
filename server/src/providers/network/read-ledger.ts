// Reads the answers of Horizon: accounts, payments, transactions and problem documents. The result codes of the ledger may also be in
// the text of another provider, as `tx_bad_seq` or as `txBadSeq`.

import { type No, no } from '../../base/answer.ts';
import { snakeCase } from '../../base/snake-case.ts';
import { fromUnits } from '../../books/money.ts';
import { isRefusal, type Reply } from '../attempt.ts';
import type {
  AccountTransaction,
  LedgerAccount,
  LedgerAsset,
  LedgerBalance,
  LedgerMerge,
  LedgerPayment,
  LedgerTransaction,
} from '../ledger-port.ts';
import { ACCOUNT_RESERVES, lockedBy } from '../ledger-reserve.ts';
import {
  amountOf,
  type Fields,
  fieldsOf,
  findText,
  integerOf,
  isFields,
  isTrue,
  listOf,
  textOf,
  Unreadable,
} from '../reply-fields.ts';
import { library } from './library.ts';

const NATIVE: LedgerAsset = { code: 'XLM', issuer: null };

/** The data entry of SEP-29, whose value "1" the network writes in base64. */
const MEMO_REQUIRED = 'config.memo_required';
const MEMO_REQUIRED_VALUE = Buffer.from('1').toString('base64');

export function readAccount(value: unknown): Omit<LedgerAccount, 'ledger'> {
  const fields = fieldsOf(value, 'The account');
  return {
    address: textOf(fields, 'account_id'),
    sequence: bigintOf(fields, 'sequence'),
    balances: listOf(fields.balances, 'balances')
      .map((entry) => fieldsOf(entry))
      .filter(isHolding)
      .map(readBalance),
    locked: lockedBy(reservesOf(fields)),
    requiresMemo: isFields(fields.data) && findText(fields.data, MEMO_REQUIRED) === MEMO_REQUIRED_VALUE,
    signers: listOf(fields.signers, 'signers')
      .map((entry) => fieldsOf(entry))
      .map((signer) => ({ key: textOf(signer, 'key'), weight: integerOf(signer, 'weight') })),
    mediumThreshold: integerOf(fieldsOf(fields.thresholds, 'thresholds'), 'med_threshold'),
  };
}

const reservesOf = (fields: Fields): number =>
  ACCOUNT_RESERVES +
  integerOf(fields, 'subentry_count') +
  integerOf(fields, 'num_sponsoring') -
  integerOf(fields, 'num_sponsored');

// A share of a liquidity pool is not an asset that we hold.
const isHolding = (fields: Fields): boolean => findText(fields, 'asset_type') !== 'liquidity_pool_shares';

function readBalance(fields: Fields): LedgerBalance {
  const asset = assetOf(fields);
  const isNative = asset.issuer === null;
  return {
    asset,
    amount: amountOf(fields, 'balance'),
    limit: isNative ? null : amountOf(fields, 'limit'),
    isAuthorized: isNative || isTrue(fields, 'is_authorized'),
  };
}

function assetOf(fields: Fields): LedgerAsset {
  if (textOf(fields, 'asset_type') === 'native') return NATIVE;
  return { code: textOf(fields, 'asset_code'), issuer: textOf(fields, 'asset_issuer') };
}

/** The records of a page. */
export function recordsOf(json: unknown): readonly Fields[] {
  const embedded = fieldsOf(fieldsOf(json)._embedded, '_embedded');
  return listOf(embedded.records, 'records').map((record) => fieldsOf(record, 'The record'));
}

/**
 * The records of a page, if each is further from the cursor than the one before. A page that repeats or mixes up its records may lack
 * some of them too, so it is not used.
 */
export function inOrder(
  records: readonly Fields[],
  { cursor, order }: { cursor: string | null; order: 'asc' | 'desc' },
): readonly Fields[] {
  let last = cursor === null || cursor === '' ? null : BigInt(cursor);
  for (const record of records) {
    const token = bigintOf(record, 'paging_token');
    if (last !== null && (order === 'asc' ? token <= last : token >= last)) {
      throw new Unreadable('The records are not in the order of their paging tokens.');
    }
    last = token;
  }
  return records;
}

/**
 * The payments of one operation to or from this address, or all of them when no address is given. Operations that move nothing,
 * or whose amount this page does not show (a merged account, see `readMerge`), give none.
 */
export function readPayments(fields: Fields, address?: string): LedgerPayment[] {
  const operationId = textOf(fields, 'id');
  const common = {
    operationId,
    transactionHash: textOf(fields, 'transaction_hash'),
    at: textOf(fields, 'created_at'),
    successful: isTrue(fields, 'transaction_successful'),
  };
  const one = (payment: Pick<LedgerPayment, 'kind' | 'asset' | 'amount' | 'from' | 'to'>) => ({
    id: operationId,
    ...common,
    ...payment,
  });
  switch (textOf(fields, 'type')) {
    case 'create_account': {
      const from = textOf(fields, 'funder');
      const to = textOf(fields, 'account');
      const amount = amountOf(fields, 'starting_balance');
      return [one({ kind: 'create-account', asset: NATIVE, amount, from, to })];
    }
    case 'payment':
      return [one({ kind: 'payment', ...movement(fields) })];
    case 'path_payment':
    case 'path_payment_strict_receive':
    case 'path_payment_strict_send':
      return pathPayments(fields, { one, address });
    case 'invoke_host_function':
      return changesOf(fields)
        .map((change, index) => ({
          ...one({ kind: 'contract-transfer', ...change }),
          id: `${operationId}-${index + 1}`,
        }))
        .filter(({ from, to }) => address === undefined || from === address || to === address);
    default:
      return [];
  }
}

/** None for an operation that is not the merge of an account. */
export function readMerge(fields: Fields): LedgerMerge[] {
  if (textOf(fields, 'type') !== 'account_merge') return [];
  return [
    {
      id: textOf(fields, 'id'),
      transactionHash: textOf(fields, 'transaction_hash'),
      at: textOf(fields, 'created_at'),
      successful: isTrue(fields, 'transaction_successful'),
      from: textOf(fields, 'account'),
      to: textOf(fields, 'into'),
    },
  ];
}

type Movement = Pick<LedgerPayment, 'asset' | 'amount' | 'from' | 'to'>;

const movement = (fields: Fields): Movement => ({
  asset: assetOf(fields),
  amount: amountOf(fields, 'amount'),
  from: textOf(fields, 'from'),
  to: textOf(fields, 'to'),
});

// The sender may have paid in another asset than arrived, so the payment of the sender shows the asset that was spent.
function pathPayments(
  fields: Fields,
  {
    one,
    address,
  }: { one: (payment: Movement & { kind: 'path-payment' }) => LedgerPayment; address: string | undefined },
): LedgerPayment[] {
  const arrived = movement(fields);
  if (address === undefined || address !== arrived.from || address === arrived.to) {
    return [one({ kind: 'path-payment', ...arrived })];
  }
  const spent = {
    asset_type: fields.source_asset_type,
    asset_code: fields.source_asset_code,
    asset_issuer: fields.source_asset_issuer,
  };
  return [one({ kind: 'path-payment', ...arrived, asset: assetOf(spent), amount: amountOf(fields, 'source_amount') })];
}

/** The transfers of a contract call, in the order of the ledger. */
function changesOf(fields: Fields): Movement[] {
  const changes = fields.asset_balance_changes;
  if (changes === undefined || changes === null) return [];
  return listOf(changes, 'asset_balance_changes').map((entry) => {
    const change = fieldsOf(entry);
    const parties = { from: findText(change, 'from'), to: findText(change, 'to') };
    return { asset: assetOf(change), amount: amountOf(change, 'amount'), ...parties };
  });
}

export function readTransaction(value: unknown): Exclude<LedgerTransaction, { state: 'missing' }> {
  const fields = fieldsOf(value, 'The transaction');
  const common = {
    hash: textOf(fields, 'hash'),
    ledger: integerOf(fields, 'ledger'),
    at: textOf(fields, 'created_at'),
    feeCharged: fromUnits(bigintOf(fields, 'fee_charged')),
    feeAccount: textOf(fields, 'fee_account'),
    bumpHash: isFields(fields.fee_bump_transaction) ? textOf(fields.fee_bump_transaction, 'hash') : null,
  };
  if (fields.successful === true) return { state: 'succeeded', ...common };
  if (fields.successful === false) return { state: 'failed', ...common, code: resultOf(fields) };
  throw new Unreadable('successful is missing.');
}

/** A record in the history of an account. A fee bump is shown with the source and the number of its inner transaction. */
export function readAccountTransaction(value: unknown): AccountTransaction {
  const fields = fieldsOf(value, 'The transaction');
  const inner = isFields(fields.inner_transaction) ? fields.inner_transaction : fields;
  return {
    hash: textOf(inner, 'hash'),
    cursor: textOf(fields, 'paging_token'),
    source: textOf(fields, 'source_account'),
    sequence: bigintOf(fields, 'source_account_sequence'),
    envelope: innerEnvelope(textOf(fields, 'envelope_xdr')),
    successful: isTrue(fields, 'successful'),
    at: textOf(fields, 'created_at'),
  };
}

// The envelope inside a fee bump; any other one as it is.
function innerEnvelope(text: string): string {
  const { TransactionEnvelope } = library().xdr;
  const envelope = TransactionEnvelope.fromXdr(text, 'base64');
  if (envelope.type !== 'envelopeTypeTxFeeBump') return text;
  return TransactionEnvelope.envelopeTypeTx(envelope.feeBump.tx.innerTx.v1).toXdr('base64');
}

// Only a text for people: the failure is certain without it.
function resultOf(fields: Fields): string {
  try {
    return snakeCase(library().xdr.TransactionResult.fromXdr(textOf(fields, 'result_xdr'), 'base64').result.type);
  } catch {
    return 'tx_failed';
  }
}

export function bigintOf(fields: Fields, name: string): bigint {
  const text = textOf(fields, name);
  if (/^\d{1,19}$/.test(text)) return BigInt(text);
  throw new Unreadable(`${name} is not a whole number.`);
}

/** The kind of a problem document. */
const kindOf = ({ json }: Reply): string | null =>
  isFields(json) ? (findText(json, 'type')?.split('/').at(-1) ?? null) : null;

/** Needs the network's own problem document: a bare 404 may come from a wrong address. */
export const isMissing = (reply: Reply): boolean => reply.status === 404 && kindOf(reply) === 'not_found';

export function refusalOf(reply: Reply): No | null {
  const kind = kindOf(reply);
  if (kind === null || !isRefusal(reply.status)) return null;
  const extras = isFields(reply.json) && isFields(reply.json.extras) ? reply.json.extras : {};
  const field = findText(extras, 'invalid_field');
  const why = findText(extras, 'reason') ?? (isFields(reply.json) ? findText(reply.json, 'detail') : null) ?? kind;
  return no(field === null ? why : `${field}: ${why}`, { code: kind, status: reply.status });
}

/** Of a read that may be repeated. */
export const GET = { method: 'GET', repeatable: true, readError: refusalOf } as const;

/** The most records that a page of the network may have. */
export const PAGE_MAX = 200;

type ResultCodes = { transaction: string; operations: readonly string[] };

export function resultCodesOf({ json }: Reply): ResultCodes | null {
  const extras = isFields(json) && isFields(json.extras) ? json.extras : {};
  const codes = isFields(extras.result_codes) ? extras.result_codes : {};
  // A fee bump has its own code in front of the codes of the inner transaction.
  const transaction = findText(codes, 'inner_transaction') ?? findText(codes, 'transaction');
  if (transaction === null) return null;
  const operations = Array.isArray(codes.operations) ? codes.operations.filter((code) => typeof code === 'string') : [];
  return { transaction, operations };
}

const CODE = /\b(?:tx|op)_[a-z_]+\b|\bfunction_trapped\b|\b(?:tx|op)[A-Z][A-Za-z]+\b/g;

/** The result codes in a text, in their order and written with underscores. */
export const findResultCodes = (text: string): string[] =>
  [...text.matchAll(CODE)].map(([code]) => snakeCase(code)).filter((code) => code !== 'op_success');

/** The envelope is too late, by its sequence number or its time. An envelope that was included before gets the same code. */
export const isStale = (code: string): boolean => code === 'tx_bad_seq' || code === 'tx_too_late';

/** A problem of the network itself: the envelope may still be included. */
export const isTrouble = (code: string): boolean => code === 'tx_internal_error' || code === 'tx_pending';
