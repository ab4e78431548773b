-- The credentials of a marketplace at its own account with an outside system. A row is never changed, except that it is replaced and
-- that the rotation of the key-encryption key seals it again. Payments name the row that they began with.
create table provider_credentials (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  provider text not null check (provider = 'payment-provider'),
  -- The provider's own id of the account. Several rows of one marketplace may name the same account: its key was changed.
  provider_account text not null,
  -- Null: as the settings say.
  base_url text,
  payer_url text,
  sealed_secrets text not null,
  created_at timestamptz not null,
  -- Null: new payments use it.
  replaced_at timestamptz,
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

create index provider_credentials_current on provider_credentials (marketplace_id, provider) where replaced_at is null;

-- Null: the account that all marketplaces share.
alter table topups add column credentials_id text, add column provider_account text,
  add constraint own_account check ((credentials_id is null) = (provider_account is null));
alter table withdrawals add column credentials_id text, add column provider_account text,
  add constraint own_account check ((credentials_id is null) = (provider_account is null));
