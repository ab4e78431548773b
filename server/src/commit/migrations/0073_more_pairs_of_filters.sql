-- Lists by two filters at once, of which each is common and the pair is rare: the orders between two people of whom one has a million others.
create index orders_of_both_parties on orders (marketplace_id, buyer_id, seller_id, id);
create index approvals_action_and_status on approvals (marketplace_id, (action || ' ' || status), id);
create index approvals_requester_and_status on approvals (marketplace_id, ((requested_by ->> 'id') || ' ' || status), id);
create index approvals_requester_and_action on approvals (marketplace_id, ((requested_by ->> 'id') || ' ' || action), id);
-- orders_of_buyer_by_status finds the open orders of a buyer.
drop index orders_open_of_buyer;
