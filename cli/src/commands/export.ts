// The journal of the books as a file, or on standard output. An interrupted file is continued, and a finished one is checked by its hash.

import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { JournalFile, JournalQuery } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define } from '../define.ts';
import { EXIT, type ExitCode, failure } from '../failures.ts';
import { action, type Run } from '../run.ts';

const FORMATS = ['csv', 'jsonl', 'hledger', 'beancount'] as const;

type ExportOptions = {
  readonly format: (typeof FORMATS)[number];
  readonly from?: string;
  readonly to?: string;
  readonly out?: string;
  readonly force?: true;
};

/** The range of a file that is not complete, so that the next run can continue it. */
type Started = {
  readonly format: string;
  readonly from: string | null;
  /** The end that the command named; null: it named none. */
  readonly named: string | null;
  readonly to: string;
};

/** Longer than the last line of any format. */
const END_BYTES = 1_000;

/** Hashes all bytes but the last line, which has the hash. */
const createCheck = () => {
  const hash: Hash = createHash('sha256');
  let tail = Buffer.alloc(0);
  return {
    take(bytes: Uint8Array): void {
      tail = Buffer.concat([tail, bytes]);
      if (tail.length <= END_BYTES) return;
      hash.update(tail.subarray(0, -END_BYTES));
      tail = tail.subarray(-END_BYTES);
    },
    /** The number of postings; null: the file is incomplete or was altered. */
    end(): number | null {
      const start = tail.lastIndexOf('\n', tail.length - 2) + 1;
      const last = tail.subarray(start).toString('utf8');
      const sha256 = hash.copy().update(tail.subarray(0, start)).digest('hex');
      const count = /count"?[=:](\d+)/.exec(last)?.[1];
      return count !== undefined && last.includes(sha256) ? Number(count) : null;
    },
  };
};

const readStarted = async (file: string): Promise<Started | null> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Started;
  } catch {
    return null;
  }
};

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => ({ size: 0 }))).size;

/** The end of the range and the size of an earlier run with the same options; zero bytes when there is none. */
const earlierRun = async (names: Names, { format, from, to }: ExportOptions) => {
  const started = await readStarted(names.range);
  const isSame = started?.format === format && started.from === (from ?? null) && started.named === (to ?? null);
  return started && isSame ? { to: started.to, offset: await sizeOf(names.part) } : { to, offset: 0 };
};

type Names = { readonly part: string; readonly range: string };

const namesOf = (out: string): Names => ({ part: `${out}.part`, range: `${out}.part.json` });

/** A file that exists is replaced only when the command says so. */
const refuseToReplace = async (file: string): Promise<void> => {
  const found = await stat(file).catch(() => null);
  if (found === null) return;
  const check = createCheck();
  if (found.isFile()) for await (const bytes of createReadStream(file)) check.take(bytes as Buffer);
  const what = check.end() === null ? 'exists and is not a complete export' : 'is a complete export already';
  throw failure(`${file} ${what}. Choose another name, or replace it with --force. Nothing was written.`);
};

const toFile = async (run: Run<ExportOptions>, out: string): Promise<ExitCode> => {
  const { out: screen, options } = run;
  if (!options.force) await refuseToReplace(out);
  const names = namesOf(out);
  const { to, offset } = await earlierRun(names, options);
  const check = createCheck();
  if (offset > 0) {
    screen.note(`Continuing ${names.part} after ${offset} bytes.`);
    for await (const bytes of createReadStream(names.part)) check.take(bytes as Buffer);
  }
  const size = check.end() === null ? await download(run, { names, to, offset, check }) : offset;
  const count = check.end();
  if (count === null) {
    await rm(names.range, { force: true });
    screen.note(`${names.part} does not have the hash of its last line. Run the command again to export it anew.`);
    return EXIT.refused;
  }
  await rename(names.part, out);
  await rm(names.range, { force: true });
  if (screen.isJson) screen.json({ file: out, postings: count, bytes: size });
  else
    screen.line(
      `${out}: ${count} ${count === 1 ? 'posting' : 'postings'}, ${size} bytes, complete and with the right hash.`,
    );
  return EXIT.fine;
};

type Download = {
  readonly names: Names;
  readonly to: string | undefined;
  readonly offset: number;
  readonly check: ReturnType<typeof createCheck>;
};

/** Returns the size of the file. */
const download = async (run: Run<ExportOptions>, { names, to, offset, check }: Download): Promise<number> => {
  const { client, options } = run;
  const query: JournalQuery = { format: options.format, from: options.from, to, ...(offset > 0 ? { offset } : {}) };
  const journal = await client.exports.journal(query);
  const { format, from = null } = options;
  const started: Started = { format, from, named: options.to ?? null, to: journal.to };
  await writeFile(names.range, `${JSON.stringify(started)}\n`, { mode: 0o600 });
  return offset + (await append(run, { journal, file: names.part, offset, check }));
};

type Appending = {
  readonly journal: JournalFile;
  readonly file: string;
  readonly offset: number;
  readonly check: ReturnType<typeof createCheck>;
};

const append = async ({ out }: Run<ExportOptions>, { journal, file, offset, check }: Appending): Promise<number> => {
  const handle = await open(file, offset > 0 ? 'a' : 'w', 0o600);
  let written = 0;
  try {
    for await (const bytes of journal.bytes) {
      await handle.write(bytes);
      check.take(bytes);
      written += bytes.length;
      if (out.canRedraw) out.redraw(`${offset + written} bytes`);
    }
    await handle.sync();
  } finally {
    await handle.close();
    if (out.canRedraw) out.redraw('');
  }
  return written;
};

const toOutput = async ({ client, options: { format, from, to }, out }: Run<ExportOptions>): Promise<ExitCode> => {
  const check = createCheck();
  const journal = await client.exports.journal({ format, from, to });
  for await (const bytes of journal.bytes) {
    check.take(bytes);
    if (!process.stdout.write(Buffer.from(bytes)))
      await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
  if (check.end() !== null) return EXIT.fine;
  out.note('The export does not have the hash of its last line. Run the command again.');
  return EXIT.refused;
};

export const addExportCommand = (program: Command): void => {
  define(program, {
    name: 'export',
    what: 'every posting of the books as a journal: CSV, JSON lines, hledger or beancount',
    examples: [
      'holdfast export --format hledger --from 2025-01-01 --to 2026-01-01 --out 2025.journal',
      'holdfast export --format jsonl | tail -n 1',
    ],
  })
    .addOption(choice('--format <format>', { what: 'format of the file', of: FORMATS }).default('csv'))
    .option('--from <time>', 'beginning of the range; default: the first posting')
    .option('--to <time>', 'end of the range, exclusive, not in the future; default: now')
    .option('--out <file>', 'writes to a file; run the same command again to continue an interrupted file')
    .option('--force', 'replaces the file of --out if it exists')
    .action(
      action<ExportOptions>((run) => (run.options.out === undefined ? toOutput(run) : toFile(run, run.options.out))),
    );
};
