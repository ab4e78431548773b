// What somebody with the right to the database could do to the record of what happened.

/** Changes an entry past the triggers that keep everybody from it, in this marketplace only. */
export const changeThirdEntry = (marketplaceId: string): string => `do $$ begin
  set local session_replication_role = replica;
  update audit_entries set payload_after = '{"amount":"9999.00"}' where marketplace_id = '${marketplaceId}' and seq = 3;
end $$`;
