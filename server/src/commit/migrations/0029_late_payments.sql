-- What was paid for a top-up after it had ended, and what the payment provider paid for a withdrawal where it is another amount.
alter table topups add column late_amount bigint check (late_amount > 0);
alter table topups add constraint late_after_end
  check (late_amount is null or status in ('TOPUP_FAILED', 'TOPUP_CANCELED', 'TOPUP_SUCCEEDED'));
alter table topups drop constraint fee_of_success;
alter table topups add constraint fee_of_payment
  check (fee is null or status = 'TOPUP_SUCCEEDED' or late_amount is not null);
-- Ended top-ups are read for a while. Those that ended long ago are not.
update topups set next_look_at = 'infinity'
  where status in ('TOPUP_FAILED', 'TOPUP_CANCELED') and updated_at < now() - interval '7 days';
create index topups_to_watch on topups (next_look_at)
  where status in ('TOPUP_FAILED', 'TOPUP_CANCELED') and late_amount is null and next_look_at < 'infinity';
create index topups_paid_late on topups (marketplace_id, id) where late_amount is not null;

alter table withdrawals add column executed bigint check (executed >= 0);
create index withdrawals_executed on withdrawals (marketplace_id, id) where executed is not null;
