-- Limits of a marketplace for one day, by currency, and what the current day has brought. Both are absent until an operator sets a
-- limit, and counting begins then.

create table marketplace_limits (
  marketplace_id text not null,
  -- The currency.
  id text not null check (id in ('USD', 'USDC', 'XLM')),
  version integer not null,
  manual_credit_per_user_day bigint check (manual_credit_per_user_day >= 0),
  manual_credit_per_day bigint check (manual_credit_per_day >= 0),
  withdrawal_per_user_day bigint check (withdrawal_per_user_day >= 0),
  withdrawal_per_day bigint check (withdrawal_per_day >= 0),
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

create table day_counts (
  marketplace_id text not null,
  -- What is counted, its currency, and the user; without a user: all users of the marketplace.
  id text not null,
  version integer not null,
  -- The day in UTC. The first count of another day begins at zero, so there is one row for all days.
  day text not null check (day ~ '^\d{4}-\d\d-\d\d$'),
  amount bigint not null check (amount >= 0),
  -- When the count of this day began.
  counted_since timestamptz not null,
  primary key (marketplace_id, id)
);
