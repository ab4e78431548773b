-- What the sender of webhooks reads again and again: the deliveries that are due, and at its start those that hold later events of their
-- resource back (fewer than three tries). Both reads cost what they find, whatever waits for later or is in the log.
create index webhook_deliveries_due on webhook_deliveries (marketplace_id, endpoint_id, next_attempt_at, id)
  where status = 'PENDING';
create index webhook_deliveries_holding on webhook_deliveries (marketplace_id, endpoint_id, id)
  where status = 'PENDING' and tries < 3;
