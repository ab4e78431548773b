-- Who holds payments: the actor of the command.
alter table payment_holds add column held_by text;
