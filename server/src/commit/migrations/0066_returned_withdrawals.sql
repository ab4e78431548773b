-- The payout report reads failed and cancelled withdrawals by the time of their end.
create index withdrawals_returned on withdrawals (marketplace_id, updated_at)
  where status in ('WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED');
