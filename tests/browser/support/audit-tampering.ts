// Changes the audit trail with direct access to the database.

/** Changes an entry of one marketplace with the protecting triggers disabled. */
export const changeThirdEntry = (marketplaceId: string): string => `do $$ begin
  set local session_replication_role = replica;
  update audit_entries set payload_after = '{"amount":"9999.00"}' where marketplace_id = '${marketplaceId}' and seq = 3;
end $$`;
