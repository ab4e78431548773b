-- Which marketplace has, or had, an account at the payment provider. All rows are in mkt_default, whose order of commands decides when
-- two marketplaces are given the same account at once.
create table provider_account_claims (
  marketplace_id text not null check (marketplace_id = 'mkt_default'),
  -- The provider's own id of the account.
  id text not null,
  version integer not null,
  claimed_by text not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);

insert into provider_account_claims (marketplace_id, id, version, claimed_by, created_at)
  select distinct on (c.provider_account) 'mkt_default', c.provider_account, 1, c.marketplace_id, c.created_at
  from provider_credentials c order by c.provider_account, c.created_at, c.marketplace_id;
