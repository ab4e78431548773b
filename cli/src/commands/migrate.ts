// Brings the database to the schema of this version, without starting a server.

import type { Command } from 'commander';
import { define } from '../define.ts';
import { action } from '../run.ts';
import { runEntry } from '../server-entry.ts';

export const addMigrateCommand = (program: Command): void => {
  define(program, {
    name: 'migrate',
    what: "bring the database of the settings to this version's schema; a server does the same when it starts",
    examples: ['holdfast migrate', 'DATABASE_URL=postgres://… holdfast migrate'],
  }).action(action(({ out }) => runEntry('programs/migrate.ts', out)));
};
