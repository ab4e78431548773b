// The file under the state: one line per change, only ever added to. A start writes it anew with the latest records only,
// beside the old one and then in its place. Never waits for the disk itself: it outlives this process, not a power cut.

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { lockFile } from './state-lock.ts';

export type Journal = { handle: number; close(): void };
export type JournalFile = { lines(): Iterable<string>; rewrite(lines: Iterable<string>): Journal; giveUp(): void };

// Nobody else has the file until the journal is closed or given up.
export function claimJournal(file: string): JournalFile {
  mkdirSync(path.dirname(file), { recursive: true });
  const lock = lockFile(file);
  return {
    lines: () => readLines(file),
    rewrite: (lines) => openJournal({ file, lines, close: lock.release }),
    giveUp: lock.release,
  };
}

// A line without its end is what a killed process was still writing: nobody was told that it happened.
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
  // Toy keys and toy money, yet nobody else's business.
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
