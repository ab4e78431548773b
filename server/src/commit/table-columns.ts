// Maps the rows that commands work on to SQL: names, columns and lookups. Another table is another entry here and a
// migration.

import { numberOf } from '../ledger/transactions/ledger-transaction.ts';
import { PAYMENT_TABLES } from './table-columns-payments.ts';
import { SURFACE_B_TABLES } from './table-columns-projects.ts';
import type { Lookups, Tables } from './tables.ts';

export type TableName = keyof Tables;

export type Spec<T extends TableName> = {
  readonly sql: string;
  readonly columns: readonly (keyof Tables[T] & string)[];
  /** The SQL expression that the lookup's index is made of, and the same value taken from a row in memory. */
  readonly lookups: {
    readonly [L in keyof Lookups[T]]: {
      readonly sql: string;
      /** Rows that fail this are not found by the lookup. */
      readonly where?: { readonly sql: string; readonly holds: (row: Tables[T]) => boolean };
      readonly value: (row: Tables[T]) => string;
    };
  };
};

export const TABLES: { readonly [T in TableName]: Spec<T> } = {
  users: {
    sql: 'users',
    columns: [
      'id',
      'externalUserId',
      'email',
      'type',
      'status',
      'paymentAccountUserId',
      'paymentAccountLinkedAt',
      'ledgerAddress',
      'ledgerLinkedAt',
      'metadata',
      'createdAt',
      'updatedAt',
    ],
    lookups: { externalUserId: { sql: 't.external_user_id', value: (row) => row.externalUserId } },
  },
  apiKeys: {
    sql: 'api_keys',
    columns: [
      'id',
      'name',
      'scopes',
      'secretHash',
      'previousHash',
      'previousExpiresAt',
      'rateLimit',
      'createdAt',
      'expiresAt',
      'revokedAt',
    ],
    lookups: {},
  },
  reservations: {
    sql: 'reservations',
    columns: ['id', 'userId', 'currency', 'orderRef', 'amount', 'remaining', 'locked', 'openedAt', 'updatedAt'],
    lookups: {
      order: { sql: "(t.user_id || ':' || t.order_ref)", value: (row) => `${row.userId}:${row.orderRef}` },
      active: {
        sql: "(t.user_id || ':' || t.currency)",
        where: { sql: 't.remaining > 0', holds: (row) => row.remaining > 0n },
        value: (row) => `${row.userId}:${row.currency}`,
      },
    },
  },
  wallets: {
    sql: 'wallets',
    columns: [
      'id',
      'owner',
      'userId',
      'address',
      'type',
      'sealedSecret',
      'status',
      'isPrimary',
      'paymentsCursor',
      'activatedAt',
      'createdAt',
      'updatedAt',
    ],
    lookups: {
      owner: {
        sql: "(t.owner || ':' || coalesce(t.user_id, ''))",
        value: (row) => `${row.owner}:${row.userId ?? ''}`,
      },
      address: { sql: 't.address', value: (row) => row.address },
    },
  },
  ledgerTransactions: {
    sql: 'ledger_transactions',
    columns: [
      'id',
      'source',
      'sequence',
      'purpose',
      'envelope',
      'state',
      'validUntil',
      'actions',
      'failure',
      'createdAt',
      'updatedAt',
    ],
    lookups: {
      open: {
        sql: 't.source',
        where: { sql: "t.state = 'SIGNED'", holds: (row) => row.state === 'SIGNED' },
        value: (row) => row.source,
      },
      number: { sql: "(t.source || ':' || t.sequence)", value: numberOf },
    },
  },
  treasuryPayments: {
    sql: 'treasury_payments',
    columns: [
      'id',
      'kind',
      'walletId',
      'address',
      'asset',
      'currency',
      'amount',
      'reference',
      'state',
      'alone',
      'transactionId',
      'failure',
      'createdAt',
      'updatedAt',
    ],
    lookups: {
      wallet: {
        sql: "(t.wallet_id || ':' || t.kind)",
        // A wallet's payments become many; those that are over are of no concern to the next.
        where: {
          sql: "(t.kind = 'activate' or t.state in ('QUEUED', 'SENT'))",
          holds: (row) => row.kind === 'activate' || row.state === 'QUEUED' || row.state === 'SENT',
        },
        value: (row) => `${row.walletId}:${row.kind}`,
      },
    },
  },
  deposits: {
    sql: 'deposits',
    columns: [
      'id',
      'walletId',
      'userId',
      'transactionHash',
      'fromAddress',
      'asset',
      'currency',
      'amount',
      'occurredAt',
      'createdAt',
    ],
    lookups: {},
  },
  orders: {
    sql: 'orders',
    columns: [
      'id',
      'buyerId',
      'sellerId',
      'amount',
      'currency',
      'title',
      'description',
      'clientOrderRef',
      'metadata',
      'platformFeeBps',
      'status',
      'finalStatus',
      'escrowId',
      'disputeId',
      'operationId',
      'createdAt',
      'updatedAt',
    ],
    lookups: {
      clientOrderRef: {
        sql: 't.client_order_ref',
        where: { sql: 't.client_order_ref is not null', holds: (row) => row.clientOrderRef !== null },
        value: (row) => row.clientOrderRef ?? '',
      },
    },
  },
  milestones: {
    sql: 'milestones',
    columns: ['id', 'orderId', 'place', 'ref', 'title', 'amount', 'status', 'completedAt'],
    lookups: { order: { sql: 't.order_id', value: (row) => row.orderId } },
  },
  escrows: {
    sql: 'escrows',
    columns: [
      'id',
      'orderId',
      'status',
      'amount',
      'currency',
      'contractType',
      'providerContractId',
      'buyer',
      'seller',
      'platform',
      'platformFeeBps',
      'terms',
      'calls',
      'transactionId',
      'setAside',
      'fundedAt',
      'releasedAt',
      'refundedAt',
      'createdAt',
      'updatedAt',
    ],
    lookups: { order: { sql: 't.order_id', value: (row) => row.orderId } },
  },
  disputes: {
    sql: 'disputes',
    columns: [
      'id',
      'orderId',
      'openedBy',
      'reason',
      'evidence',
      'status',
      'assignedTo',
      'resolutionDecision',
      'decisionNote',
      'sellerAmount',
      'buyerAmount',
      'resolvedAt',
      'createdAt',
      'updatedAt',
    ],
    lookups: { order: { sql: 't.order_id', value: (row) => row.orderId } },
  },
  operations: {
    sql: 'operations',
    columns: [
      'id',
      'kind',
      'orderId',
      'escrowId',
      'disputeId',
      'state',
      'step',
      'attempts',
      'ask',
      'walletId',
      'currency',
      'amount',
      'failure',
      'nextAttemptAt',
      'createdAt',
      'updatedAt',
    ],
    lookups: {},
  },
  webhookEvents: {
    sql: 'webhook_events',
    columns: [
      'id',
      'provider',
      'type',
      'state',
      'signed',
      'subjectId',
      'failure',
      'attempts',
      'createdAt',
      'updatedAt',
    ],
    lookups: {},
  },
  ...PAYMENT_TABLES,
  ...SURFACE_B_TABLES,
};
