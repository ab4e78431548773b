// Reads the transfers of one archive in the order of the audit chain. The files of an archive are sorted by account, so the lines are
// first distributed over temporary files, one for each window of the chain, and then each window is sorted in memory. It only reads.

import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { fromUnits } from '../../books/money.ts';
import { type ArchivedLine, archivedError } from '../archives/account-postings.ts';
import type { Archive } from '../archives/archive.ts';
import { folderOf, readManifest } from '../archives/manifest.ts';
import { BrokenArchive, eachLine, parseRow } from '../archives/slices.ts';
import { inOrder, type Transfer } from './transfer.ts';

type ArchivePlace = {
  /** The folder of all archives. */
  readonly dir: string;
  readonly marketplaceId: string;
  readonly archive: Archive;
  readonly windowEntries: bigint;
};

// A quotation mark inside a text is escaped, so this is found only as the name of the field.
const AUDIT_SEQ = /"audit_seq":(\d+)/;

const transferOf = (line: string): Transfer | null => {
  const row = parseRow<ArchivedLine>(line);
  if (row.amount < 0n) return null;
  return {
    auditSeq: row.audit_seq,
    seq: row.seq,
    from: row.counter_account_id,
    to: row.account_id,
    amount: fromUnits(row.amount),
    move: row.move,
    reference: row.reference,
    description: row.description,
    postedAt: formatInstant(parseInstant(row.posted_at)!),
  };
};

const transfersOf = (lines: readonly string[]): Transfer[] =>
  inOrder(lines.map(transferOf).filter((transfer) => transfer !== null));

/** The lines of one file of the archive, by their window. */
const byWindow = async (
  file: Parameters<typeof eachLine>[0],
  windowOf: (auditSeq: bigint) => bigint,
): Promise<Map<bigint, string[]>> => {
  const found = new Map<bigint, string[]>();
  await eachLine(file, (line) => {
    const window = windowOf(BigInt(AUDIT_SEQ.exec(line)![1]!));
    const lines = found.get(window);
    if (lines) lines.push(line);
    else found.set(window, [line]);
  });
  return found;
};

async function* windowsOf(place: ArchivePlace): AsyncGenerator<Transfer[]> {
  const { dir, marketplaceId, archive, windowEntries } = place;
  const folder = folderOf(dir, { marketplaceId, id: archive.id });
  const { files } = await readManifest(folder, archive.manifestHash);
  const temporary = await mkdtemp(path.join(tmpdir(), 'holdfast-export-'));
  try {
    const windowOf = (auditSeq: bigint): bigint => (auditSeq - archive.firstSeq) / windowEntries;
    const fileOf = (window: bigint): string => path.join(temporary, String(window));
    const windows = new Set<bigint>();
    for (const slice of files.filter(({ table }) => table === 'postings')) {
      for (const [window, lines] of await byWindow({ folder, slice }, windowOf)) {
        windows.add(window);
        await appendFile(fileOf(window), `${lines.join('\n')}\n`, { mode: 0o600 });
      }
    }
    for (const window of [...windows].toSorted((one, other) => (one < other ? -1 : 1))) {
      yield transfersOf((await readFile(fileOf(window), 'utf8')).split('\n').slice(0, -1));
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Each window of the archive, oldest first. An archive whose files are gone or were altered is the refusal ARCHIVED. */
export async function* archivedWindows(place: ArchivePlace): AsyncGenerator<Transfer[]> {
  try {
    yield* windowsOf(place);
  } catch (error) {
    throw error instanceof BrokenArchive ? archivedError([place.archive]) : error;
  }
}
