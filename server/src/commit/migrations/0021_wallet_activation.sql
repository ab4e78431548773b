-- A wallet's account is created on the ledger when it is first needed. Until now every wallet was activated when it was created, so
-- the wallets that still wait were requested.
alter table wallets add column activation_requested_at timestamptz;
update wallets set activation_requested_at = created_at where status = 'PENDING' and type = 'INVISIBLE';

create index wallets_to_activate on wallets (activation_requested_at)
  where status = 'PENDING' and activation_requested_at is not null;
-- It had every wallet that waits. Now most wallets are never activated.
drop index wallets_pending;

-- Health, metrics and jobs read the treasuries and the wallets of platforms, which are few among the wallets of users.
create index wallets_of_platform on wallets (marketplace_id, owner) where owner <> 'user';

-- The treasury sponsors the reserve of a new account, which therefore may begin with nothing.
alter table treasury_payments drop constraint treasury_payments_amount_check;
alter table treasury_payments add constraint treasury_payments_amount_check
  check (amount > 0 or (amount = 0 and kind = 'activate'));

-- Accounts that a marketplace has created on the ledger on one day.
create table activation_days (
  marketplace_id text not null,
  -- The day in UTC.
  id text not null check (id ~ '^\d{4}-\d\d-\d\d$'),
  version integer not null,
  activations integer not null check (activations > 0),
  primary key (marketplace_id, id)
);
