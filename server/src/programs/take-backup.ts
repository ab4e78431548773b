// The command `npm run backup -- --to FOLDER`: copies the data folder of the settings, also while its server is running. Exits with 1 when
// it failed; then no backup is left. With --record it only notes that a backup was taken with other tools.

import path from 'node:path';
import { readConfig } from '../config/config.ts';
import { archiveFolder } from '../modules/archives/manifest.ts';
import type { NeededArchive } from './backup/archives.ts';
import { takeUnlessInterrupted } from './backup/backup.ts';
import { noteBackup } from './backup/note.ts';
import { INTERRUPTED, watchInterruption } from './interruption.ts';
import { notEmpty, printLine, scriptCommand } from './script-command.ts';

const fail = (line: string, code: number): never => {
  process.stderr.write(`${line}\n`);
  process.exit(code);
};

/** A backup whose archives are elsewhere is complete only together with them. */
const describeArchives = (archives: readonly NeededArchive[]): string[] => {
  const missing = archives.filter(({ isCopied }) => !isCopied).map(({ marketplaceId, id }) => `${marketplaceId}/${id}`);
  if (archives.length === 0) return [];
  return [
    `  archives of closed months: ${archives.length - missing.length} of ${archives.length} copied`,
    ...(missing.length === 0
      ? []
      : [`This backup also needs the archives ${missing.join(', ')}: keep a copy of ARCHIVE_DIR with it.`]),
  ];
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const program = scriptCommand('backup', 'Copies the folder of DATA_DIR, also while its server is running.')
  .option('--to <folder>', 'folder of the backup: empty or missing', notEmpty)
  .option('--without-archives', 'leave the archives of closed months out: keep your own copy of their folder', false)
  .option(
    '--record',
    'copy nothing: only note that a backup was taken now with other tools, for BACKUP_MAX_AGE_H',
    false,
  )
  .parse();
const values = program.opts<{ to?: string; withoutArchives: boolean; record: boolean }>();
if (values.to === undefined && !values.record) program.error("error: required option '--to <folder>' not specified");
const read = readConfig(process.env);
if (!read.ok) fail(read.problems.join('\n'), 2);
else if (values.record) {
  const takenAt = new Date().toISOString();
  await noteBackup(read.config, takenAt).catch((error) => fail(messageOf(error), 1));
  printLine(`A backup of ${takenAt} was recorded.`);
} else if (read.config.database.url !== null) {
  fail(
    'DATABASE_URL is set: back up that database with its own tools, and keep the secrets with the backup. See docs/operating.md.',
    2,
  );
} else {
  const signal = watchInterruption();
  try {
    const to = path.resolve(values.to!);
    const {
      bytes,
      logSegments,
      files,
      heads,
      archives = [],
      takenAt,
    } = await takeUnlessInterrupted({
      dataDir: read.config.data.dir,
      to,
      archiveDir: values.withoutArchives ? null : archiveFolder(read.config),
      signal,
    });
    const mebibytes = Math.ceil(bytes / 1024 ** 2);
    printLine(`${to}: ${mebibytes} MiB, ${logSegments} log segments, files: ${files.join(', ') || 'none'}`);
    for (const { marketplaceId, eventPosition, auditSeq } of heads) {
      printLine(`  ${marketplaceId}: ${eventPosition} events, ${auditSeq} audit entries`);
    }
    for (const line of describeArchives(archives)) printLine(line);
    if (!files.includes('secrets.json')) {
      printLine('The data folder contains no keys: keep the keys of your settings with this backup.');
    }
    // The backup is complete without it: only the alert about a late backup would come.
    await noteBackup(read.config, takenAt).catch((error) =>
      process.stderr.write(`The time of this backup could not be recorded: ${messageOf(error)}\n`),
    );
  } catch (error) {
    fail(messageOf(error), signal.aborted ? INTERRUPTED : 1);
  }
}
