-- A deadline whose work an outside system has certainly refused is followed by another one, later. It knows how often that happened, and
-- the last reason. After too many refusals it is HELD, and an alert is opened.
alter table deadlines add column attempts integer not null default 0;
alter table deadlines add constraint deadlines_attempts_check check (attempts >= 0);
alter table deadlines add column failure text;
create index deadlines_refused on deadlines (at) where status = 'HELD' and attempts > 0;

alter table alerts drop constraint alerts_kind_check;
alter table alerts add constraint alerts_kind_check check (kind in ('BREAK', 'TREASURY_LOW', 'OPERATION_STUCK', 'WITHDRAWAL_STUCK',
  'DEADLINE_STUCK', 'ENDPOINT_DISABLED', 'PROOF_FAILED', 'BACKUP_LATE'));
