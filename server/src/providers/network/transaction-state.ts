// Reads one transaction by its hash, its operations, and both in one request.

import { type Answer, yes } from '../../base/answer.ts';
import type { Call, ProviderClient } from '../http-client.ts';
import type { LedgerTransaction, TransactionWithPayments } from '../ledger-port.ts';
import { type Fields, isFields } from '../reply-fields.ts';
import type { NewestLedger } from './newest-ledger.ts';
import { GET, isMissing, PAGE_MAX, readPayments, readTransaction, recordsOf, refusalOf } from './read-ledger.ts';

/** A 404 in the network's own form means `missing`. */
export const orMissing =
  <T>(missing: T): NonNullable<Call<T>['readError']> =>
  (reply) =>
    isMissing(reply) ? yes(missing) : refusalOf(reply);

type TransactionClients = { readonly client: ProviderClient; readonly newest: NewestLedger };

export const readTransactionBy = async (
  { client, newest }: TransactionClients,
  hash: string,
): Promise<Answer<LedgerTransaction>> => {
  const found = await client.request<LedgerTransaction>({
    ...GET,
    operation: 'transaction',
    path: `/transactions/${hash}`,
    read: ({ json }) => yes(readTransaction(json)),
    readError: orMissing<LedgerTransaction>({ state: 'missing' }),
  });
  if (found.kind === 'yes' && found.value.state !== 'missing') newest.see(found.value.ledger);
  return found;
};

export const readWithPayments = async (
  clients: TransactionClients,
  hash: string,
): Promise<Answer<TransactionWithPayments>> => {
  const read = await clients.client.request<TransactionWithPayments | null>({
    ...GET,
    operation: 'operations',
    path: `/transactions/${hash}/operations`,
    query: { limit: String(PAGE_MAX), order: 'asc', join: 'transactions' },
    read({ json }) {
      const records = recordsOf(json);
      const joined = records[0]?.transaction;
      if (!isFields(joined)) return yes(null);
      return yes({ transaction: readTransaction(joined), payments: records.flatMap((record) => readPayments(record)) });
    },
    readError: orMissing<TransactionWithPayments>({ transaction: { state: 'missing' }, payments: [] }),
  });
  if (read.kind !== 'yes') return read;
  if (read.value === null) return readSeparately(clients, hash);
  const { transaction } = read.value;
  if (transaction.state !== 'missing') clients.newest.see(transaction.ledger);
  return yes(read.value);
};

/** For a server that does not join the two. */
const readSeparately = async (clients: TransactionClients, hash: string): Promise<Answer<TransactionWithPayments>> => {
  const transaction = await readTransactionBy(clients, hash);
  if (transaction.kind !== 'yes') return transaction;
  if (transaction.value.state === 'missing') return yes({ transaction: transaction.value, payments: [] });
  const read = (records: readonly Fields[]) => yes(records.flatMap((record) => readPayments(record)));
  const payments = await readOperations(clients.client, { hash, read });
  return payments.kind === 'yes' ? yes({ transaction: transaction.value, payments: payments.value }) : payments;
};

export const readOperations = <T>(
  client: ProviderClient,
  { hash, read }: { hash: string; read(records: readonly Fields[]): Answer<T> },
): Promise<Answer<T>> =>
  client.request({
    ...GET,
    operation: 'operations',
    path: `/transactions/${hash}/operations`,
    query: { limit: String(PAGE_MAX), order: 'asc' },
    read: ({ json }) => read(recordsOf(json)),
  });
