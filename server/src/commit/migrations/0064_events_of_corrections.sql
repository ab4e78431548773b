-- The timeline of an order shows its corrections. There are few of them, so the index stays small.
create index events_of_correction on events (marketplace_id, aggregate_id, position) where aggregate_type = 'Correction';
