// Reads the answers of Horizon: accounts, payments, transactions and problem documents. The result codes of the ledger may also be in
// the text of another provider, as `tx_bad_seq` or as `txBadSeq`.

import { xdr } from '@stellar/stellar-sdk';
import { type No, no } from '../../base/answer.ts';
import { snakeCase } from '../../base/snake-case.ts';
import { fromUnits } from '../../books/money.ts';
import { isRefusal, type Reply } from '../attempt.ts';
import type { LedgerAccount, LedgerAsset, LedgerBalance, LedgerPayment, LedgerTransaction } from '../ledger-port.ts';
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

const NATIVE: LedgerAsset = { code: 'XLM', issuer: null };

export function readAccount(value: unknown): LedgerAccount {
  const fields = fieldsOf(value, 'The account');
  return {
    address: textOf(fields, 'account_id'),
    sequence: bigintOf(fields, 'sequence'),
    balances: listOf(fields.balances, 'balances')
      .map((entry) => fieldsOf(entry))
      .filter(isHolding)
      .map(readBalance),
  };
}

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
 * The payments of one operation to or from this address, or all of them when no address is given. Operations that move nothing,
 * or whose amount this page does not show (a merged account), give none.
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
    const from = findText(change, 'from');
    const to = findText(change, 'to');
    return { asset: assetOf(change), amount: amountOf(change, 'amount'), from, to };
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
  };
  if (fields.successful === true) return { state: 'succeeded', ...common };
  if (fields.successful === false) return { state: 'failed', ...common, code: resultOf(fields) };
  throw new Unreadable('successful is missing.');
}

// Only a text for people: the failure is certain without it.
function resultOf(fields: Fields): string {
  try {
    const { result } = xdr.TransactionResult.fromXdr(textOf(fields, 'result_xdr'), 'base64');
    return snakeCase(result.type);
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
