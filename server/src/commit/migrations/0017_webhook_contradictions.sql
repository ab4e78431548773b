-- Contradictions of an escrow event are counted apart from checks that got no answer.
alter table webhook_events add column contradictions integer not null default 0;
update webhook_events set contradictions = 2 where state = 'SET_ASIDE';
-- The subject of these alerts was the order; it is the event now. The next check opens those again that are not over.
update breaks set resolved_at = now() where kind = 'escrow-event' and resolved_at is null;
