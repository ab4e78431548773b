// Maps the rows that commands work on to SQL: names, columns, lookups, and the statements made from them once. Another
// table is another entry here and a migration.

import type { Lookups, Tables } from '../domain/tables.ts';

export type TableName = keyof Tables;

type Spec<T extends TableName> = {
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
    columns: ['id', 'userId', 'currency', 'orderRef', 'amount', 'remaining', 'openedAt', 'updatedAt'],
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
      wallet: { sql: "(t.wallet_id || ':' || t.kind)", value: (row) => `${row.walletId}:${row.kind}` },
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
};

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns under their names in memory, for reads outside the committer too. */
export const selected = (table: TableName): string =>
  TABLES[table].columns.map((column) => `t.${snake(column)} as "${column}"`).join(', ');

export type Lookup = { readonly sql: string; readonly where?: { readonly sql: string } };

export const loadSql = (table: TableName, by: string | null): string => {
  const lookup = by === null ? { sql: 't.id' } : (TABLES[table].lookups as Record<string, Lookup>)[by]!;
  return `select t.marketplace_id as "marketplaceId", t.version, ${selected(table)}
    from unnest($1::text[], $2::text[]) k (marketplace_id, value)
    join ${TABLES[table].sql} t on t.marketplace_id = k.marketplace_id and ${lookup.sql} = k.value
    ${lookup.where ? `where ${lookup.where.sql}` : ''}`;
};

const written = (table: TableName): string[] => [...TABLES[table].columns.map(snake), 'version'];

export const insertSql = (table: TableName): string => {
  const columns = ['marketplace_id', ...written(table)].join(', ');
  return `insert into ${TABLES[table].sql} (${columns})
    select ${columns} from json_populate_recordset(null::${TABLES[table].sql}, $1)`;
};

/** Changes only the version that was read: a row that somebody else changed meanwhile fails the whole group. */
export const updateSql = (table: TableName): string => {
  const columns = written(table).filter((column) => column !== 'id');
  return `with w as (
      update ${TABLES[table].sql} t set (${columns.join(', ')}) = row (${columns.map((c) => `u.${c}`).join(', ')})
      from json_populate_recordset(null::${TABLES[table].sql}, $1) u
      where t.marketplace_id = u.marketplace_id and t.id = u.id and t.version = u.version - 1
      returning 1
    ) select require_rows((select count(*) from w), $2, '${TABLES[table].sql}')`;
};
