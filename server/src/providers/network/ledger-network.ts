// The adapter of the ledger network: Stellar through a Horizon server. It reads, and submits envelopes that are already signed. A
// missing account or transaction is a definite answer and not a no.

import { type Answer, type No, no, unknown, yes } from '../../base/answer.ts';
import { type ClientOptions, createClient, type ProviderClient } from '../http-client.ts';
import type { Concern, LedgerNetwork } from '../ledger-port.ts';
import { type Fields, fieldsOf, findText, integerOf, isFields, textOf } from '../reply-fields.ts';
import { readAccountAt } from './account-state.ts';
import { checkConcern } from './concerns.ts';
import { library } from './library.ts';
import {
  readLedgerPayments,
  readMergedAmount,
  readMergeResult,
  readNetworkPayments,
  readOtherMoves,
} from './network-payments.ts';
import { followNewestLedger, type NewestLedger } from './newest-ledger.ts';
import { readContractBalance, readContractCode } from './read-contract.ts';
import {
  bigintOf,
  GET,
  inOrder,
  PAGE_MAX,
  readAccountTransaction,
  readMerge,
  readPayments,
  recordsOf,
} from './read-ledger.ts';
import { submit } from './submit.ts';
import { orMissing, readOperations, readTransactionBy, readWithPayments } from './transaction-state.ts';

type LedgerNetworkOptions = Omit<ClientOptions, 'provider' | 'headers'> & {
  passphrase: string;
  /** Address of the network's RPC server, which shows contracts; null: they cannot be read. */
  rpcUrl?: string | null;
};

type Clients = {
  readonly client: ProviderClient;
  readonly rpc: ProviderClient | null;
  readonly newest: NewestLedger;
};

const NO_RPC = unknown('Contracts cannot be read from the ledger: set LEDGER_RPC_URL.', { code: 'misconfigured' });
const HASH = /^[0-9a-f]{64}$/;

export function createLedgerNetwork({ passphrase, rpcUrl = null, ...options }: LedgerNetworkOptions): LedgerNetwork {
  const at = (baseUrl: string) => createClient({ ...options, baseUrl, provider: 'ledger-network' });
  const rpc = rpcUrl === null ? null : at(rpcUrl);
  return networkOf({ client: at(options.baseUrl), rpc, newest: followNewestLedger() }, passphrase);
}

function networkOf(clients: Clients, passphrase: string): LedgerNetwork {
  const { client, rpc, newest } = clients;
  const network: LedgerNetwork = {
    passphrase,
    async networkInfo() {
      const info = await readRoot(client);
      if (info.kind !== 'yes') return info;
      const { friendbot, ...rest } = info.value;
      return yes({ ...rest, offersFriendbot: friendbot !== null });
    },
    account: async (address, of = {}) => checkAddress(address) ?? readAccountAt(clients, { address, ...of }),
    payments: async (query) => checkAddress(query.address) ?? readPaymentsAt(client, query),
    networkPayments: (page) => readNetworkPayments(client, page),
    mergedAmount: (operation) => readMergedAmount(client, operation),
    ledgerPayments: (of) => readLedgerPayments(client, of),
    mergeResult: async (operation) => checkHash(operation.transactionHash) ?? readMergeResult(client, operation),
    otherMoves: async (address) => checkAddress(address) ?? readOtherMoves(client, address),
    transaction: async (hash) => checkHash(hash) ?? readTransactionBy(clients, hash),
    transactionWithPayments: async (hash) => checkHash(hash) ?? readWithPayments(clients, hash),
    transactionsOf: async (query) => checkAddress(query.address) ?? readTransactionsAt(client, query),
    paymentsOf: async (hash) => {
      const read = (records: readonly Fields[]) => yes(records.flatMap((record) => readPayments(record)));
      return checkHash(hash) ?? readOperations(client, { hash, read });
    },
    submit: (envelope) => submit(client, { envelope, reads: network }),
    latestLedger: () => readLatestLedger(clients),
    contractCode: async (contractId) => (rpc === null ? NO_RPC : readContractCode(rpc, contractId)),
    contractBalance: async (holding) => {
      if (rpc === null) return NO_RPC;
      return checkContract(holding.contractId) ?? readContractBalance(rpc, holding);
    },
    feeStats: () => readFeeStats(client),
    friendbot: (address) => requestFriendbot(client, address),
    verifyTransactionConcerns: (concern) => verifyConcern(client, { concern, network }),
    withPriority: (priority) => {
      const others = { client: client.withPriority(priority), rpc: rpc?.withPriority(priority) ?? null, newest };
      return networkOf(others, passphrase);
    },
  };
  return network;
}

const checkAddress = (address: string): No | null =>
  library().StrKey.isValidEd25519PublicKey(address)
    ? null
    : no('This is not an account address.', { code: 'bad-address' });

const checkContract = (contractId: string): No | null =>
  library().StrKey.isValidContract(contractId)
    ? null
    : no('This is not the address of a contract.', { code: 'bad-address' });

const checkHash = (hash: string): No | null =>
  HASH.test(hash) ? null : no('This is not a transaction hash.', { code: 'bad-hash' });

const readRoot = (client: ProviderClient) =>
  client.request({
    ...GET,
    operation: 'network-info',
    path: '/',
    read({ json }) {
      const fields = fieldsOf(json, 'The network');
      const links = isFields(fields._links) ? fields._links : {};
      const friendbot = isFields(links.friendbot) ? findText(links.friendbot, 'href') : null;
      const latestLedger = integerOf(fields, 'history_latest_ledger');
      const oldestLedger = integerOf(fields, 'history_elder_ledger');
      return yes({ passphrase: textOf(fields, 'network_passphrase'), latestLedger, oldestLedger, friendbot });
    },
  });

const readPaymentsAt: (
  client: ProviderClient,
  query: Parameters<LedgerNetwork['payments']>[0],
) => ReturnType<LedgerNetwork['payments']> = (client, { address, cursor = null, limit = PAGE_MAX, order = 'asc' }) => {
  const size = Math.min(limit, PAGE_MAX);
  return client.request({
    ...GET,
    operation: 'payments',
    path: `/accounts/${address}/payments`,
    query: { ...(cursor === null ? {} : { cursor }), order, limit: String(size) },
    read({ json }) {
      const records = inOrder(recordsOf(json), { cursor, order });
      // Records that are not payments move the cursor too.
      const last = records.at(-1);
      return yes({
        payments: records.flatMap((record) => readPayments(record, address)),
        merges: records.flatMap(readMerge).filter(({ from, to }) => from === address || to === address),
        cursor: last === undefined ? cursor : textOf(last, 'paging_token'),
        isLast: records.length < size,
      });
    },
    readError: orMissing({ payments: [], merges: [], cursor, isLast: true }),
  });
};

const readTransactionsAt = (
  client: ProviderClient,
  { address, cursor }: Parameters<LedgerNetwork['transactionsOf']>[0],
): ReturnType<LedgerNetwork['transactionsOf']> =>
  client.request({
    ...GET,
    operation: 'account-transactions',
    path: `/accounts/${address}/transactions`,
    // A failed transaction has used its sequence number and has paid its fee.
    query: { order: 'desc', limit: String(PAGE_MAX), include_failed: 'true', ...(cursor === null ? {} : { cursor }) },
    read({ json }) {
      const records = recordsOf(json);
      return yes({ transactions: records.map(readAccountTransaction), isLast: records.length < PAGE_MAX });
    },
    readError: orMissing({ transactions: [], isLast: true }),
  });

const readLatestLedger = async ({ client, newest }: Clients): ReturnType<LedgerNetwork['latestLedger']> => {
  const latest = await client.request({
    ...GET,
    operation: 'latest-ledger',
    path: '/ledgers',
    query: { order: 'desc', limit: '1' },
    read({ json }) {
      const record = fieldsOf(recordsOf(json)[0], 'The ledger');
      return yes({ sequence: integerOf(record, 'sequence'), closedAt: textOf(record, 'closed_at') });
    },
  });
  if (latest.kind === 'yes') newest.see(latest.value.sequence);
  return latest;
};

const readFeeStats = (client: ProviderClient): ReturnType<LedgerNetwork['feeStats']> =>
  client.request({
    ...GET,
    operation: 'fee-stats',
    path: '/fee_stats',
    read({ json }) {
      const fields = fieldsOf(json, 'The fees');
      const charged = fieldsOf(fields.fee_charged, 'fee_charged');
      const baseFee = bigintOf(fields, 'last_ledger_base_fee');
      const bids = fieldsOf(fields.max_fee, 'max_fee');
      return yes({
        baseFee,
        usualFee: bigintOf(charged, 'p50'),
        bidFee: bigintOf(bids, 'p70'),
        urgentFee: bigintOf(bids, 'p90'),
      });
    },
  });

const requestFriendbot = async (client: ProviderClient, address: string): Promise<Answer<null>> => {
  const info = await readRoot(client);
  if (info.kind !== 'yes') return info;
  if (info.value.friendbot === null) return no('This network gives no accounts away.', { code: 'no-friendbot' });
  return client.request({
    ...GET,
    // Not repeated: the network refuses the repetition of a success. The caller reads the account.
    repeatable: false,
    operation: 'friendbot',
    path: '',
    absoluteUrl: info.value.friendbot.replace(/\{.*\}$/, ''),
    query: { addr: address },
    read: () => yes(null),
  });
};

const verifyConcern = async (
  client: ProviderClient,
  { concern, network }: { concern: Concern; network: LedgerNetwork },
): Promise<Answer<null>> => {
  const found = await network.transaction(concern.hash);
  if (found.kind !== 'yes') return found;
  if (found.value.state === 'missing') return no('The ledger has no such transaction.', { code: 'missing' });
  if (found.value.state === 'failed') return no('The transaction failed.', { code: 'failed' });
  return readOperations(client, { hash: concern.hash, read: (records) => checkConcern(records, concern) });
};

const NOT_CONFIGURED = 'No ledger network is configured: set LEDGER_URL, or leave SANDBOX on.';

/** The ledger network of a server without one: every answer is unknown, and nothing can be sent. */
export function missingLedgerNetwork(passphrase: string): LedgerNetwork {
  const answer = async () => unknown(NOT_CONFIGURED, { code: 'misconfigured' });
  const network: LedgerNetwork = {
    passphrase,
    networkInfo: answer,
    account: answer,
    payments: answer,
    networkPayments: answer,
    mergedAmount: answer,
    ledgerPayments: answer,
    mergeResult: answer,
    otherMoves: answer,
    transaction: answer,
    transactionsOf: answer,
    transactionWithPayments: answer,
    paymentsOf: answer,
    submit: answer,
    latestLedger: answer,
    contractCode: answer,
    contractBalance: answer,
    feeStats: answer,
    friendbot: answer,
    verifyTransactionConcerns: answer,
    withPriority: () => network,
  };
  return network;
}
