// Reads of provider credentials. Only the reads that say so return sealed secrets.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { PROVIDER_CREDENTIALS, type ProviderCredentials } from './provider-credentials.ts';

const SELECT = `select ${selected(PROVIDER_CREDENTIALS)} from provider_credentials t where t.marketplace_id = $1`;

/** A set of credentials and the number of unfinished payments that began with it. */
export type ListedCredentials = ProviderCredentials & { readonly openPayments: number };

// A top-up whose fee is not known yet is not finished: the fee is read at the provider.
const LISTED = `select ${selected(PROVIDER_CREDENTIALS)},
    (select count(*)::integer from topups p where p.marketplace_id = $1 and p.credentials_id = t.id
      and (p.status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
        or p.status = 'TOPUP_SUCCEEDED' and p.fee is null))
    + (select count(*)::integer from withdrawals w where w.marketplace_id = $1 and w.credentials_id = t.id
      and w.status in ('WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING',
        'WITHDRAWAL_PENDING_USER_ACTION')) as "openPayments"
  from provider_credentials t where t.marketplace_id = $1 order by t.id desc`;

// One read for a webhook whose sender is not known yet, by indexes of a few payments.
const OF_PAYMENT = `select t.marketplace_id as "marketplaceId", ${selected(PROVIDER_CREDENTIALS)} from (
    select p.marketplace_id, p.provider_account from topups p where p.id = any($1) and p.provider_account is not null
    union select p.marketplace_id, p.provider_account from topups p
      where p.provider_payin_id = any($1) and p.provider_account is not null
    union select p.marketplace_id, p.provider_account from withdrawals p
      where p.id = any($1) and p.provider_account is not null
    union select p.marketplace_id, p.provider_account from withdrawals p
      where p.provider_payout_id = any($1) and p.provider_account is not null) p
  join provider_credentials t on t.marketplace_id = p.marketplace_id and t.provider_account = p.provider_account
  order by t.id desc`;

const ACCOUNTS = `select distinct t.marketplace_id as "marketplaceId", t.provider_account as "providerAccount",
    last_value(t.id) over (partition by t.marketplace_id, t.provider_account order by t.id
      rows between unbounded preceding and unbounded following) as "credentialsId"
  from provider_credentials t order by 1, 2`;

const BY_SEAL = `select t.marketplace_id as "marketplaceId", split_part(t.sealed_secrets, '.', 2) as "keyId",
    count(*)::integer as credentials
  from provider_credentials t group by 1, 2 order by 1, 2`;

/** An own account of a marketplace, and its newest credentials. */
export type OwnAccount = {
  readonly marketplaceId: string;
  readonly providerAccount: string;
  readonly credentialsId: string;
};

export type PlacedCredentials = ProviderCredentials & { readonly marketplaceId: string };

export const createCredentialReads = (pool: pg.Pool) => {
  const read = async (text: string, values: unknown[]): Promise<ProviderCredentials[]> =>
    (await pool.query<ProviderCredentials>(text, values)).rows;

  return {
    /** With its sealed secrets. */
    find: async (marketplaceId: string, id: string): Promise<ProviderCredentials | null> =>
      (await read(`${SELECT} and t.id = $2`, [marketplaceId, id]))[0] ?? null,

    /** With its sealed secrets. */
    current: async (marketplaceId: string): Promise<ProviderCredentials | null> =>
      (await read(`${SELECT} and t.provider = 'payment-provider' and t.replaced_at is null`, [marketplaceId]))[0] ??
      null,

    /** All credentials of one account, newest first, with their sealed secrets. */
    ofAccount: (marketplaceId: string, providerAccount: string): Promise<ProviderCredentials[]> =>
      read(`${SELECT} and t.provider_account = $2 order by t.id desc`, [marketplaceId, providerAccount]),

    /** All credentials of the own accounts of payments with one of these ids, newest first, with their sealed secrets. */
    ofPayment: async (ids: readonly string[]): Promise<PlacedCredentials[]> =>
      (await pool.query<PlacedCredentials>({ name: 'credentials-of-payment', text: OF_PAYMENT, values: [ids] })).rows,

    /** All credentials of a marketplace, newest first. */
    list: async (marketplaceId: string): Promise<ListedCredentials[]> =>
      (await pool.query<ListedCredentials>(LISTED, [marketplaceId])).rows,

    /** The own accounts of all marketplaces, former ones too. */
    accounts: async (): Promise<OwnAccount[]> => (await pool.query<OwnAccount>(ACCOUNTS)).rows,

    /** How many rows each key-encryption key has sealed, by marketplace. */
    countBySeal: async (): Promise<{ marketplaceId: string; keyId: string; credentials: number }[]> =>
      (await pool.query<{ marketplaceId: string; keyId: string; credentials: number }>(BY_SEAL)).rows,

    /** The credentials of a marketplace whose sealed secrets do not have this prefix, with their sealed secrets. */
    listSealedOtherwise: (marketplaceId: string, prefix: string): Promise<ProviderCredentials[]> =>
      read(`${SELECT} and not starts_with(t.sealed_secrets, $2) order by t.id`, [marketplaceId, prefix]),
  };
};

export type CredentialReads = ReturnType<typeof createCredentialReads>;
