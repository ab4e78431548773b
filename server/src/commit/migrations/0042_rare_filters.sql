-- Pages of large marketplaces by filters that few rows match. Without these indexes such a page reads the whole table.
create index users_by_status on users (marketplace_id, status, id);
create index users_by_type on users (marketplace_id, type, id);
create index operations_by_kind on operations (marketplace_id, kind, id);
create index disputes_by_opener on disputes (marketplace_id, opened_by, id);
create index orders_disputed_of_buyer on orders (marketplace_id, buyer_id) where dispute_id is not null;
create index orders_disputed_of_seller on orders (marketplace_id, seller_id) where dispute_id is not null;
