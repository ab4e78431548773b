// The ledger network's adapter: Stellar through a Horizon server. Reads, and submits what it was given. An account or a
// transaction that is not there is a definite answer, not a no.

import { StrKey } from '@stellar/stellar-sdk';
import { no, yes } from '../../base/answer.ts';
import { type ClientOptions, createClient } from '../http-client.ts';
import type { LedgerNetwork, LedgerTransaction } from '../ledger-port.ts';
import { fieldsOf, findText, integerOf, isFields, textOf } from '../reply-fields.ts';
import { judgeConcern } from './concerns.ts';
import { isMissing, refusalOf } from './problem.ts';
import { bigintOf, readAccount, readPayments, readTransaction, recordsOf } from './read-ledger.ts';
import { submit } from './submit.ts';

export type LedgerNetworkOptions = Omit<ClientOptions, 'provider' | 'headers'> & { passphrase: string };

const PAGE_MAX = 200;
const HASH = /^[0-9a-f]{64}$/;

export function createLedgerNetwork({ passphrase, ...options }: LedgerNetworkOptions): LedgerNetwork {
  const client = createClient({ ...options, provider: 'ledger-network' });
  const look = { method: 'GET', repeatable: true, otherwise: refusalOf } as const;
  const root = () =>
    client.ask({
      ...{ ...look, operation: 'network-info', path: '/' },
      read({ json }) {
        const fields = fieldsOf(json, 'The network');
        const links = isFields(fields._links) ? fields._links : {};
        const friendbot = isFields(links.friendbot) ? findText(links.friendbot, 'href') : null;
        const latestLedger = integerOf(fields, 'history_latest_ledger');
        return yes({ passphrase: textOf(fields, 'network_passphrase'), latestLedger, friendbot });
      },
    });

  const network: LedgerNetwork = {
    passphrase,
    async networkInfo() {
      const info = await root();
      if (info.kind !== 'yes') return info;
      const { friendbot, ...rest } = info.value;
      return yes({ ...rest, offersFriendbot: friendbot !== null });
    },
    async account(address) {
      if (!StrKey.isValidEd25519PublicKey(address)) return no('This is no account address.', { code: 'bad-address' });
      return client.ask({
        ...{ ...look, operation: 'account', path: `/accounts/${address}` },
        read: ({ json }) => yes(readAccount(json)),
        otherwise: (reply) => (isMissing(reply) ? yes(null) : refusalOf(reply)),
      });
    },
    async payments({ address, cursor = null, limit = PAGE_MAX, order = 'asc' }) {
      if (!StrKey.isValidEd25519PublicKey(address)) return no('This is no account address.', { code: 'bad-address' });
      const size = Math.min(limit, PAGE_MAX);
      const none = { payments: [], cursor, isLast: true };
      return client.ask({
        ...{ ...look, operation: 'payments', path: `/accounts/${address}/payments` },
        query: { ...(cursor === null ? {} : { cursor }), order, limit: String(size) },
        read({ json }) {
          const records = recordsOf(json);
          // Records that are no payment move the cursor too.
          const last = records.at(-1);
          return yes({
            payments: records.flatMap((record) => readPayments(record, address)),
            cursor: last === undefined ? cursor : textOf(last, 'paging_token'),
            isLast: records.length < size,
          });
        },
        otherwise: (reply) => (isMissing(reply) ? yes(none) : refusalOf(reply)),
      });
    },
    async transaction(hash) {
      if (!HASH.test(hash)) return no('This is no transaction hash.', { code: 'bad-hash' });
      return client.ask<LedgerTransaction>({
        ...{ ...look, operation: 'transaction', path: `/transactions/${hash}` },
        read: ({ json }) => yes(readTransaction(json)),
        otherwise: (reply) => (isMissing(reply) ? yes({ state: 'missing' }) : refusalOf(reply)),
      });
    },
    async paymentsOf(hash) {
      if (!HASH.test(hash)) return no('This is no transaction hash.', { code: 'bad-hash' });
      return client.ask({
        ...{ ...look, operation: 'operations', path: `/transactions/${hash}/operations` },
        query: { limit: String(PAGE_MAX), order: 'asc' },
        read: ({ json }) => yes(recordsOf(json).flatMap((record) => readPayments(record))),
      });
    },
    submit: (envelope) => submit(client, { envelope, reads: network }),
    latestLedger() {
      return client.ask({
        ...{ ...look, operation: 'latest-ledger', path: '/ledgers', query: { order: 'desc', limit: '1' } },
        read({ json }) {
          const record = fieldsOf(recordsOf(json)[0], 'The ledger');
          return yes({ sequence: integerOf(record, 'sequence'), closedAt: textOf(record, 'closed_at') });
        },
      });
    },
    feeStats() {
      return client.ask({
        ...{ ...look, operation: 'fee-stats', path: '/fee_stats' },
        read({ json }) {
          const fields = fieldsOf(json, 'The fees');
          const charged = fieldsOf(fields.fee_charged, 'fee_charged');
          const baseFee = bigintOf(fields, 'last_ledger_base_fee');
          return yes({ baseFee, usualFee: bigintOf(charged, 'p50'), highFee: bigintOf(charged, 'p95') });
        },
      });
    },
    async friendbot(address) {
      const info = await root();
      if (info.kind !== 'yes') return info;
      if (info.value.friendbot === null) return no('This network gives no accounts away.', { code: 'no-friendbot' });
      return client.ask({
        // Not repeated: the repeat of a success is refused. Whoever asked looks at the account.
        ...{ ...look, repeatable: false, operation: 'friendbot', path: '' },
        elsewhere: info.value.friendbot.replace(/\{.*\}$/, ''),
        query: { addr: address },
        read: () => yes(null),
      });
    },
    async verifyTransactionConcerns(concern) {
      const found = await network.transaction(concern.hash);
      if (found.kind !== 'yes') return found;
      if (found.value.state === 'missing') return no('The ledger has no such transaction.', { code: 'missing' });
      if (found.value.state === 'failed') return no('The transaction failed.', { code: 'failed' });
      return client.ask({
        ...{ ...look, operation: 'operations', path: `/transactions/${concern.hash}/operations` },
        query: { limit: String(PAGE_MAX) },
        read: ({ json }) => judgeConcern(recordsOf(json), concern),
      });
    },
  };
  return network;
}
