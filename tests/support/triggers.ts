// Turns the triggers of a table off and on, for tests that change rows as only an administrator of the database could.

// A distributed database asks for the setting, and sends the text of the change to its nodes. To PostgreSQL without Citus the setting
// means nothing.
const change = (table: string, how: 'disable' | 'enable'): string => `do $$ begin
  perform set_config('citus.enable_unsafe_triggers', 'on', true);
  execute 'alter table ${table} ${how} trigger user';
end $$`;

export const disableTriggers = (table: string): string => change(table, 'disable');

export const enableTriggers = (table: string): string => change(table, 'enable');
