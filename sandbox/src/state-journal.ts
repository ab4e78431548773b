// The journal file of the state: one line per change, append only. A start rewrites it with the latest records only, to a new file
// that then replaces the old one. It never waits for the disk: the file survives this process, not a power failure.

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { lockFile } from './state-lock.ts';

export type Journal = { handle: number; close(): void };
type JournalFile = { lines(): Iterable<string>; rewrite(lines: Iterable<string>): Journal; giveUp(): void };

// No other process has the file until the journal is closed.
export function claimJournal(file: string): JournalFile {
  mkdirSync(path.dirname(file), { recursive: true });
  const lock = lockFile(file);
  return {
    lines: () => readLines(file),
    rewrite: (lines) => openJournal({ file, lines, close: lock.release }),
    giveUp: lock.release,
  };
}

// A line without its end was being written by a killed process: no caller got an answer about it.
function* readLines(file: string): Generator<string> {
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  lines.pop();
  for (const line of lines) if (line !== '') yield line;
}

type Opening = { file: string; lines: Iterable<string>; close: () => void };

function openJournal({ file, lines, close }: Opening): Journal {
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  // The keys and the money are not real, but the file is still private to its owner.
  const handle = openSync(fresh, 'a', 0o600);
  let chunk = '';
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length > 1_000_000) {
      writeAll(handle, chunk);
      chunk = '';
    }
  }
  writeAll(handle, chunk);
  renameSync(fresh, file);
  return {
    handle,
    close() {
      closeSync(handle);
      close();
    },
  };
}

// With the JSON of one record this took 5 to 10 µs, so every answer can have its own line.
export function appendLine(journal: Journal, line: string): void {
  writeAll(journal.handle, `${line}\n`);
}

function writeAll(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(handle, bytes, written);
}
