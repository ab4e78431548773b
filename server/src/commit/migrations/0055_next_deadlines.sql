-- The timer reads the deadlines that are due page by page, by time and id. Many may have the same time.
create index deadlines_next on deadlines (at, id) where status = 'PENDING';
drop index deadlines_due;
