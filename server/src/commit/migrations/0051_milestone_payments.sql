-- A milestone may be paid or disputed on its own. Its amounts are null while it was not paid, and stay null where the order is paid as a
-- whole.
alter table milestones add column released_amount bigint;
alter table milestones add column refunded_amount bigint;
alter table milestones add column fee bigint;
alter table milestones add column dispute_id text;
alter table milestones drop constraint milestones_status_check;
alter table milestones add constraint milestones_status_check
  check (status in ('OPEN', 'COMPLETED', 'DISPUTED', 'RELEASED', 'REFUNDED'));
-- A milestone may be refunded or disputed before it is completed.
alter table milestones drop constraint completed_once;
alter table milestones add constraint completed_once check (
  case status when 'OPEN' then completed_at is null when 'COMPLETED' then completed_at is not null else true end);
alter table milestones add constraint paid_whole check (
  case when status in ('RELEASED', 'REFUNDED')
    then coalesce(released_amount >= 0 and refunded_amount >= 0 and released_amount + refunded_amount = amount
      and fee between 0 and released_amount, false)
    else released_amount is null and refunded_amount is null and fee is null end);

alter table disputes add column milestone_ref text;

alter table operations drop constraint operations_kind_check;
alter table operations add constraint operations_kind_check check (kind in ('create-escrow', 'fund-escrow', 'release', 'refund',
  'resolve-dispute', 'release-milestone', 'refund-milestone'));
