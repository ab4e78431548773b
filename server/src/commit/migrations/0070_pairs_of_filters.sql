-- Lists by two filters at once, of which one is common and the pair is rare: a buyer with many orders and few disputed ones.
create index orders_of_buyer_by_status on orders (marketplace_id, buyer_id, status, id);
create index orders_of_seller_by_status on orders (marketplace_id, seller_id, status, id);
create index users_by_type_and_status on users (marketplace_id, (type || ' ' || status), id);
