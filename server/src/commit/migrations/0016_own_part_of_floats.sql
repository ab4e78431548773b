-- `allotted` is the operator's part in each of the floats, that of mkt_default too: at most what is held, because payouts used the rest.
insert into floats (marketplace_id, id, version, allotted, pending_payouts, credit_line, created_at, updated_at)
  select o.marketplace_id, 'USD', 1, 0, 0, 0, now(), now() from float_openings o
  where o.marketplace_id = 'mkt_default' and o.id = 'payment-provider'
  on conflict do nothing;

update floats f set allotted = o.amount, version = f.version + 1 from float_openings o
  where f.marketplace_id = 'mkt_default' and o.marketplace_id = 'mkt_default' and o.id = 'payment-provider';

update floats f set allotted = greatest(0, least(f.allotted, h.held)), version = f.version + 1
  from (select f.marketplace_id, -coalesce(sum(a.balance), 0) as held from floats f
    left join accounts a on a.marketplace_id = f.marketplace_id and a.id in ('payment-float:USD', 'payment-float:USDC',
      'payment-float-owed:USD', 'payment-float-owed:USDC')
    group by 1) h
  where h.marketplace_id = f.marketplace_id and f.allotted <> greatest(0, least(f.allotted, h.held));
