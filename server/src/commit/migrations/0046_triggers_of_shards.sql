-- The rules of append-only tables hold on a distributed database too, where a trigger runs on each shard of its table. A trigger for truncate
-- is not created on shards, so update and truncate get one each. The rows that account for archived ones are in the shard beside.
drop trigger postings_append_only on postings;
create trigger postings_append_only before update on postings
  for each statement execute function refuse_change();
create trigger postings_stay before truncate on postings
  for each statement execute function refuse_change();

drop trigger audit_append_only on audit_entries;
create trigger audit_append_only before update on audit_entries
  for each statement execute function refuse_change();
create trigger audit_stays before truncate on audit_entries
  for each statement execute function refuse_change();

drop trigger checkpoints_do_not_change on proof_checkpoints;
create trigger checkpoints_do_not_change before update on proof_checkpoints
  for each statement execute function refuse_change();
create trigger checkpoints_stay before truncate on proof_checkpoints
  for each statement execute function refuse_change();

-- A shard is called like its table, with a number behind.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', regexp_replace(tg_table_name, '_\d+$', '') using errcode = 'HF002';
end $$;

create or replace function refuse_unarchived_posting() returns trigger language plpgsql as $$
declare
  archived text := 'archived_accounts';
  is_refused boolean;
begin
  if tg_table_name <> 'postings' then
    select shard_name(b.logicalrelid, b.shardid) into strict archived from pg_dist_shard s join pg_dist_shard b
      on b.logicalrelid = 'archived_accounts'::regclass and b.shardminvalue = s.shardminvalue
      where s.shardid = substring(tg_table_name from '\d+$')::bigint;
  end if;
  execute format('select exists (select from gone g left join %s a
      on a.marketplace_id = g.marketplace_id and a.account_id = g.account_id
      where a.postings is null or g.seq > a.postings)', archived) into is_refused;
  if is_refused then
    raise exception 'postings is append-only' using errcode = 'HF002';
  end if;
  return null;
end $$;

create or replace function refuse_unarchived_entry() returns trigger language plpgsql as $$
declare
  archived text := 'archived_chains';
  is_refused boolean;
begin
  if tg_table_name <> 'audit_entries' then
    select shard_name(b.logicalrelid, b.shardid) into strict archived from pg_dist_shard s join pg_dist_shard b
      on b.logicalrelid = 'archived_chains'::regclass and b.shardminvalue = s.shardminvalue
      where s.shardid = substring(tg_table_name from '\d+$')::bigint;
  end if;
  execute format('select exists (select from gone g left join %s c on c.marketplace_id = g.marketplace_id
      where c.audit_seq is null or g.seq > c.audit_seq)', archived) into is_refused;
  if is_refused then
    raise exception 'audit_entries is append-only' using errcode = 'HF002';
  end if;
  return null;
end $$;
