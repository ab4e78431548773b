-- People who log in, and their projects. A project's status is not kept: it is read from the order of its escrow.

create table people (
  marketplace_id text not null,
  -- The user's.
  id text not null,
  version integer not null,
  email text not null,
  -- The same address however it is capitalised.
  email_key text not null,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  unique (marketplace_id, email_key)
);

create table projects (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  owner_id text not null,
  title text not null,
  description text not null,
  budget bigint not null check (budget > 0),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  order_id text,
  claimed_until timestamptz,
  answered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint claimed_with_order check (order_id is not null or (claimed_until is null and answered_at is null))
);

create index projects_of_owner on projects (marketplace_id, owner_id, created_at, id);
-- Those whose escrow nobody has been told about: what a crash left is among them.
create index projects_unanswered on projects (marketplace_id, order_id)
  where order_id is not null and answered_at is null;

-- What somebody has in escrow is read from the orders that are not closed, however many are.
create index orders_open_of_buyer on orders (marketplace_id, buyer_id) where status <> 'CLOSED';

-- Failed logins, by account and by address, until their window ends. An observation; it decides nothing about money.
create table login_attempts (
  marketplace_id text not null,
  id text not null,
  attempts integer not null check (attempts >= 0),
  ends_at timestamptz not null,
  primary key (marketplace_id, id)
);

create index login_attempts_ended on login_attempts (ends_at);
