// The files of an archive: rows as JSON lines, compressed with Zstandard, each with the SHA-256 of its bytes. A line is the text that
// PostgreSQL wrote, so no number is ever rounded on the way into a file or back.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createZstdDecompress, zstdCompress, zstdDecompress } from 'node:zlib';
import type { ArchivedTable } from '../../commit/archived-rows.ts';

/** A file of an archive, as the manifest lists it. */
export type Slice = {
  readonly name: string;
  readonly table: ArchivedTable;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The accounts of the first and the last posting; null for other tables. A reader finds the postings of an account by them. */
  readonly firstAccount: string | null;
  readonly lastAccount: string | null;
};

/** Rows of a file. A file is read and written as a whole, and must not fill the memory of a small machine. */
export const SLICE_ROWS = 20_000;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 6 } };

export const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Whole numbers become bigints. Rows of postings, entries and events have no other numbers outside of texts. */
export const parseRow = <Row>(line: string): Row =>
  parse(line, (_, value, { source }) => (typeof value === 'number' ? BigInt(source!) : value)) as Row;

/** Writes the file and waits until the disk has it. */
export const writeDurably = async (file: string, content: Buffer | string): Promise<void> => {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
};

type Lines = { readonly table: ArchivedTable; readonly number: number; readonly lines: readonly string[] };

const accountOf = (table: ArchivedTable, line: string): string | null =>
  table === 'postings' ? parseRow<{ account_id: string }>(line).account_id : null;

export const writeSlice = async (folder: string, { table, number, lines }: Lines): Promise<Slice> => {
  const content = await compress(Buffer.from(`${lines.join('\n')}\n`), LEVEL);
  const name = `${table}-${String(number).padStart(4, '0')}.jsonl.zst`;
  await writeDurably(path.join(folder, name), content);
  return {
    name,
    table,
    rows: lines.length,
    bytes: content.length,
    sha256: sha256(content),
    firstAccount: accountOf(table, lines[0]!),
    lastAccount: accountOf(table, lines.at(-1)!),
  };
};

/** An archive that is not what its manifest says, or that is not there. The message names the file. */
export class BrokenArchive extends Error {
  /** The file with the problem; null: it is not in one file. */
  readonly file: string | null;

  constructor(message: string, { file = null, cause }: { file?: string | null; cause?: unknown } = {}) {
    super(message, { cause });
    this.file = file;
  }
}

/** The message is part of replies, so it has no path of the server. */
const unreadable = (name: string, cause: NodeJS.ErrnoException): BrokenArchive => {
  const problem = cause.code === 'ENOENT' ? 'is missing.' : `cannot be read: ${cause.code ?? cause.message}.`;
  return new BrokenArchive(`${name} ${problem}`, { file: name, cause });
};

const altered = (name: string): BrokenArchive =>
  new BrokenArchive(`${name} was altered: its hash is another one.`, { file: name });

const requireRows = ({ name, rows }: Slice, found: number): void => {
  if (found !== rows) throw new BrokenArchive(`${name} has ${found} rows, not ${rows}.`, { file: name });
};

/** Refuses a file whose bytes are not those of the manifest. */
export const readSlice = async (folder: string, slice: Slice): Promise<string[]> => {
  const content = await readFile(path.join(folder, slice.name)).catch((cause) => {
    throw unreadable(slice.name, cause);
  });
  if (sha256(content) !== slice.sha256) throw altered(slice.name);
  const lines = (await decompress(content)).toString('utf8').split('\n').slice(0, -1);
  requireRows(slice, lines.length);
  return lines;
};

const hashOfFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
};

/**
 * Passes each line of a file to `take`. Unlike `readSlice` it never has the whole file in memory. The hash is compared first, so a line is
 * one that the manifest accounts for.
 */
export const eachLine = async (
  { folder, slice }: { folder: string; slice: Slice },
  take: (line: string) => void,
): Promise<void> => {
  const file = path.join(folder, slice.name);
  const found = await hashOfFile(file).catch((cause) => {
    throw unreadable(slice.name, cause);
  });
  if (found !== slice.sha256) throw altered(slice.name);
  let rows = 0;
  await pipeline(createReadStream(file), createZstdDecompress(), async (chunks: AsyncIterable<Buffer>) => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!;
      rows += lines.length;
      for (const line of lines) take(line);
    }
  });
  requireRows(slice, rows);
};
