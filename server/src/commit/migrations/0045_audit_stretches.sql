-- Which stretches of the audit chain have a balance move of an action, for searches by action: an index of every entry would make each
-- balance move slower (docs/decisions/0020-audit-stretches.md). The job that proves the books notes them. They are an observation of the
-- chain, not a part of it; the full proof compares them with the chain.
create table audit_stretches (
  marketplace_id text not null,
  action text not null,
  -- The number of an entry, divided by the length of a stretch.
  stretch bigint not null check (stretch >= 0),
  primary key (marketplace_id, action, stretch)
);

-- Up to which audit entry the stretches are noted.
create table audit_stretch_marks (
  marketplace_id text not null,
  audit_seq bigint not null check (audit_seq >= 0),
  primary key (marketplace_id)
);
