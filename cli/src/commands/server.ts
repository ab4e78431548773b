// The server and its backups, for a machine that runs Holdfast: `start`, `backup` and `restore`. They use the settings of the
// environment, like the programs of the server that they run.

import type { Command } from 'commander';
import { define } from '../define.ts';
import { action } from '../run.ts';
import { runEntry } from '../server-entry.ts';

/** The limits of `npm start` and of the container image: they keep garbage small. */
const START_FLAGS = [
  '--max-semi-space-size=16',
  '--max-old-space-size=1024',
  '--heap-growing-percent=20',
  '--expose-gc',
];
const START_ENV = { MALLOC_ARENA_MAX: '2' };

type BackupOptions = { readonly to?: string; readonly withoutArchives?: true; readonly record?: true };

type RestoreOptions = { readonly from: string; readonly into?: string };

export const addServerCommands = (program: Command): void => {
  define(program, {
    name: 'start',
    what: 'run the server in this terminal with the settings of the environment, as a service does; the log goes to standard output',
    examples: ['holdfast start', 'DATABASE_URL=postgres://… SANDBOX=off holdfast start'],
  }).action(action(({ out }) => runEntry('main.ts', { out, flags: START_FLAGS, env: START_ENV, printsJson: true })));

  define(program, {
    name: 'backup',
    what: 'copy the data folder of the settings, also while its server runs',
    examples: ['holdfast backup --to /backups/monday', 'holdfast backup --record'],
  })
    .option('--to <folder>', 'folder of the backup: empty or missing')
    .option('--without-archives', 'leave the archives of closed months out: keep your own copy of their folder')
    .option('--record', 'copy nothing: only note that a backup was taken now with other tools')
    .action(
      action<BackupOptions>(({ out, options: { to, withoutArchives, record } }) => {
        const args = [
          ...(to === undefined ? [] : ['--to', to]),
          ...(withoutArchives ? ['--without-archives'] : []),
          ...(record ? ['--record'] : []),
        ];
        return runEntry('programs/take-backup.ts', { out, args });
      }),
    );

  define(program, {
    name: 'restore',
    what: 'restore a backup to an empty folder and prove its books; without --into only prove them, in a temporary folder',
    examples: [
      'holdfast restore --from /backups/monday',
      'holdfast restore --from /backups/monday --into /srv/holdfast',
    ],
  })
    .requiredOption('--from <backup>', 'a folder that `holdfast backup` created')
    .option('--into <folder>', 'data folder to create: empty or missing')
    .action(
      action<RestoreOptions>(({ out, options: { from, into } }) =>
        runEntry('programs/restore-backup.ts', {
          out,
          args: ['--from', from, ...(into === undefined ? [] : ['--into', into])],
        }),
      ),
    );
};
