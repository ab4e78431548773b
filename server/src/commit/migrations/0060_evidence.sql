-- Files that were submitted to a dispute. A row never changes.
create table evidence (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  dispute_id text not null,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null check (size_bytes > 0),
  sha256 text not null,
  submitted_by text not null check (submitted_by in ('BUYER', 'SELLER', 'OPERATOR')),
  description text,
  author jsonb not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);
create index evidence_dispute on evidence (marketplace_id, dispute_id, id);

-- The bytes of each file, apart, because lists do not read them. Most kinds of files are compressed already.
create table evidence_contents (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  content bytea not null,
  primary key (marketplace_id, id)
);
alter table evidence_contents alter column content set storage external;

-- How many files a dispute has, or with the id 'marketplace' the whole marketplace, and how many bytes they have.
create table evidence_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  files integer not null check (files > 0),
  bytes bigint not null check (bytes > 0),
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);

-- Messages about a dispute. A row never changes.
create table dispute_messages (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  dispute_id text not null,
  sender text not null check (sender in ('BUYER', 'SELLER', 'OPERATOR')),
  text text not null,
  author jsonb not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
);
create index dispute_messages_dispute on dispute_messages (marketplace_id, dispute_id, id);

-- How many messages a dispute has. The id is that of the dispute.
create table dispute_message_counts (
  marketplace_id text not null,
  id text not null,
  version integer not null,
  messages integer not null check (messages > 0),
  updated_at timestamptz not null,
  primary key (marketplace_id, id)
);
