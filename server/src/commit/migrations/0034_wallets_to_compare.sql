-- Wallets that a page of the ledger has shown since reconciliation compared them.
create table moved_wallets (
  marketplace_id text not null,
  -- The wallet.
  id text not null,
  moved_at timestamptz not null,
  primary key (marketplace_id, id)
);
create index moved_wallets_by_time on moved_wallets (moved_at);

-- The wallet that the round of reconciliation has reached, behind the name of its marketplace.
alter table ledger_cursors add column place text;
