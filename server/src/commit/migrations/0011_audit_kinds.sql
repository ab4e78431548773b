-- Finds the audit entries of one kind (resource and action) without reading the chain. No query without a resource could use the index of
-- actions that it replaces. The entries of balance moves stay out, as in audit_of_resource: see decision 5.
create index audit_of_kind on audit_entries (marketplace_id, resource_type, action, seq)
  where resource_type <> 'Balance' or action = 'BALANCE_SYNCED';
drop index audit_of_action;
