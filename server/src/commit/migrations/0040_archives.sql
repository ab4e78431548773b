-- Closed periods leave the hot tables: their rows are in compressed files, and these tables say where the hot rows begin. A posting or an
-- audit entry may be deleted only after its part of the books is accounted for here.
create table archives (
  marketplace_id text not null,
  -- The month, such as 2026-01.
  id text not null,
  version integer not null,
  -- SEALED: the files are complete and verified. REMOVED: the rows have left the hot tables. RESTORING, RESTORED: the way back.
  state text not null check (state in ('SEALED', 'REMOVED', 'RESTORING', 'RESTORED')),
  ends_at timestamptz not null,
  -- The audit entries of the period, and the hash of the chain before and after them.
  first_seq bigint not null check (first_seq > 0),
  last_seq bigint not null,
  hash_before text not null,
  hash_after text not null,
  -- The SHA-256 of the manifest file, and of the manifest before it.
  manifest_hash text not null,
  previous_manifest text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint ends_after_start check (last_seq >= first_seq)
);

-- What the removed postings of an account add up to: the hot postings begin after these.
create table archived_accounts (
  marketplace_id text not null,
  account_id text not null,
  postings bigint not null check (postings >= 0),
  balance bigint not null,
  primary key (marketplace_id, account_id)
);

-- The last removed entry of a marketplace: the hot part of the audit chain begins after it.
create table archived_chains (
  marketplace_id text not null primary key,
  audit_seq bigint not null check (audit_seq >= 0),
  audit_hash text not null
);

create function refuse_unarchived_posting() returns trigger language plpgsql as $$
begin
  if exists (select from gone g left join archived_accounts a
      on a.marketplace_id = g.marketplace_id and a.account_id = g.account_id
      where a.postings is null or g.seq > a.postings) then
    raise exception 'postings is append-only' using errcode = 'HF002';
  end if;
  return null;
end $$;

create function refuse_unarchived_entry() returns trigger language plpgsql as $$
begin
  if exists (select from gone g left join archived_chains c on c.marketplace_id = g.marketplace_id
      where c.audit_seq is null or g.seq > c.audit_seq) then
    raise exception 'audit_entries is append-only' using errcode = 'HF002';
  end if;
  return null;
end $$;

drop trigger postings_append_only on postings;
drop trigger audit_append_only on audit_entries;
create trigger postings_append_only before update or truncate on postings
  for each statement execute function refuse_change();
create trigger audit_append_only before update or truncate on audit_entries
  for each statement execute function refuse_change();
create trigger postings_leave_archived after delete on postings referencing old table as gone
  for each statement execute function refuse_unarchived_posting();
create trigger audit_leaves_archived after delete on audit_entries referencing old table as gone
  for each statement execute function refuse_unarchived_entry();
