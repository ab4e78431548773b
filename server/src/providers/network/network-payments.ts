// Reads the payments of the whole network, and what a merged account had. A record of the network that cannot be read does not stop the
// page: it concerns strangers, unless one of its addresses is ours.

import type { xdr } from '@stellar/stellar-sdk';
import { yes } from '../../base/answer.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import type { ProviderClient } from '../http-client.ts';
import type { LedgerNetwork, NetworkPage } from '../ledger-port.ts';
import { amountOf, type Fields, fieldsOf, findText, textOf, Unreadable } from '../reply-fields.ts';
import { library } from './library.ts';
import { GET, inOrder, PAGE_MAX, readMerge, readPayments, recordsOf } from './read-ledger.ts';

type Read = Pick<NetworkPage, 'payments' | 'merges' | 'unread'>;

const NOTHING: Read = { payments: [], merges: [], unread: [] };

const addressesIn = (record: Fields): string[] => [
  ...new Set(JSON.stringify(record).match(/\bG[A-Z2-7]{55}\b/g) ?? []),
];

const readRecord = (record: Fields): Read => {
  try {
    return { payments: readPayments(record), merges: readMerge(record), unread: [] };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...NOTHING, unread: [{ id: textOf(record, 'paging_token'), addresses: addressesIn(record) }] };
  }
};

type List = { readonly operation: string; readonly path: string };
type Query = Parameters<LedgerNetwork['networkPayments']>[0];

const readList = (
  client: ProviderClient,
  { operation, path, cursor = null, limit = PAGE_MAX, order = 'asc' }: List & Query,
): ReturnType<LedgerNetwork['networkPayments']> => {
  const size = Math.min(limit, PAGE_MAX);
  return client.request({
    ...GET,
    operation,
    path,
    query: { ...(cursor === null ? {} : { cursor }), order, limit: String(size) },
    read({ json }) {
      const records = inOrder(recordsOf(json), { cursor, order });
      const read = records.map(readRecord);
      const last = records.at(-1);
      return yes({
        payments: read.flatMap(({ payments }) => payments),
        merges: read.flatMap(({ merges }) => merges),
        unread: read.flatMap(({ unread }) => unread),
        records: records.length,
        cursor: last === undefined ? cursor : textOf(last, 'paging_token'),
        isLast: records.length < size,
      });
    },
  });
};

export const readNetworkPayments = (client: ProviderClient, page: Query) =>
  readList(client, { operation: 'network-payments', path: '/payments', ...page });

export const readLedgerPayments = (
  client: ProviderClient,
  { ledger, cursor }: Parameters<LedgerNetwork['ledgerPayments']>[0],
) => readList(client, { operation: 'ledger-payments', path: `/ledgers/${ledger}/payments`, cursor });

export const readMergedAmount = (
  client: ProviderClient,
  { id, to }: Parameters<LedgerNetwork['mergedAmount']>[0],
): ReturnType<LedgerNetwork['mergedAmount']> =>
  client.request({
    ...GET,
    operation: 'effects',
    path: `/operations/${id}/effects`,
    query: { limit: String(PAGE_MAX), order: 'asc' },
    read({ json }) {
      const isCredit = (effect: Fields) =>
        findText(effect, 'type') === 'account_credited' &&
        findText(effect, 'account') === to &&
        findText(effect, 'asset_type') === 'native';
      const credit = recordsOf(json).find(isCredit);
      return yes(credit === undefined ? null : amountOf(credit, 'amount'));
    },
  });

/** The lists of payments have none of these. Except for a clawback, each needs a signature of the account. */
const OTHER_MOVES: readonly string[] = [
  'clawback',
  'claim_claimable_balance',
  'create_claimable_balance',
  'create_passive_sell_offer',
  'liquidity_pool_deposit',
  'liquidity_pool_withdraw',
  'manage_buy_offer',
  'manage_sell_offer',
];

export const readOtherMoves = (client: ProviderClient, address: string): ReturnType<LedgerNetwork['otherMoves']> =>
  client.request({
    ...GET,
    operation: 'account-operations',
    path: `/accounts/${address}/operations`,
    query: { limit: String(PAGE_MAX), order: 'desc' },
    read({ json }) {
      const records = recordsOf(json).map((record) => ({ id: textOf(record, 'id'), type: textOf(record, 'type') }));
      return yes(records.filter(({ type }) => OTHER_MOVES.includes(type)));
    },
  });

const resultsIn = (text: string): readonly xdr.OperationResult[] => {
  const { result } = library().xdr.TransactionResult.fromXdr(text, 'base64');
  if (result.type === 'txSuccess') return result.results;
  if (result.type !== 'txFeeBumpInnerSuccess') return [];
  const inner = result.innerResultPair.result.result;
  return inner.type === 'txSuccess' ? inner.results : [];
};

/** The last twelve bits of the id of an operation are its place in the transaction, from 1. */
const mergedIn = (results: readonly xdr.OperationResult[], id: string): Amount | null => {
  const result = results[Number(BigInt(id) & 0xfffn) - 1];
  if (result?.type !== 'opInner' || result.tr.type !== 'accountMerge') return null;
  const merged = result.tr.accountMergeResult;
  return merged.type === 'accountMergeSuccess' ? fromUnits(merged.sourceAccountBalance) : null;
};

export const readMergeResult = (
  client: ProviderClient,
  { id, transactionHash }: Parameters<LedgerNetwork['mergeResult']>[0],
): ReturnType<LedgerNetwork['mergeResult']> =>
  client.request({
    ...GET,
    operation: 'transaction',
    path: `/transactions/${transactionHash}`,
    read({ json }) {
      const fields = fieldsOf(json, 'The transaction');
      return yes(mergedIn(resultsIn(textOf(fields, 'result_xdr')), id));
    },
  });
