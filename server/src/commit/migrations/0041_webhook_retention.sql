-- Finds the oldest records of webhooks that are decided, to delete them after WEBHOOK_RETENTION_DAYS.
create index webhook_events_decided on webhook_events (marketplace_id, updated_at)
  where state <> 'PENDING' and next_attempt_at is null;
