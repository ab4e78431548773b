-- Operations of one kind in one state. A plan that is made without values chose the index of the kind, and read every operation of it.
create index operations_by_state_and_kind on operations (marketplace_id, state, kind, id);
