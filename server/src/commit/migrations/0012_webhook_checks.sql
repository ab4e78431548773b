-- A signed escrow event that cannot be checked now is kept with its content and checked again later. One that provider and ledger
-- contradict is set aside.

alter table webhook_events add column claim jsonb;
alter table webhook_events add column next_attempt_at timestamptz;
alter table webhook_events drop constraint webhook_events_state_check;
alter table webhook_events add constraint webhook_events_state_check
  check (state in ('PROCESSED', 'FAILED', 'PENDING', 'SET_ASIDE'));
create index webhook_events_due on webhook_events (next_attempt_at) where next_attempt_at is not null;
