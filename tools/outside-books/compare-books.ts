// Compares the books of a marketplace with its exported journal, as every reader understands it: our own addition of the JSON lines, and
// each bookkeeping tool that is installed. Also compares the balance sheet of each reader with the proof.

import { exportAccount } from '../../server/src/modules/exports/account-names.ts';
import { exactText, exactUnits } from '../decimals.ts';
import {
  differences,
  isInstalled,
  nameIn,
  OUTSIDE_TOOLS,
  type OutsideTool,
  type Sums,
  sumsByTool,
} from './outside-books.ts';
import { readJournal } from './read-journal.ts';

/** A reader of the journal. `jsonl`: the lines are added up here. */
type Reader = OutsideTool | 'jsonl';

type ProofFigures = {
  readonly currency: string;
  readonly claims: string;
  readonly holdings: string;
  readonly adjustments: string;
  readonly openingBalances: string;
};

export type ComparedBooks = {
  readonly marketplaceId: string;
  sql(text: string, values: unknown[]): Promise<{ account: string; move: string; units: string }[]>;
  /** The whole exported journal. */
  readJournal(format: Reader): Promise<string>;
  readProof(): Promise<{ readonly currencies: readonly ProofFigures[] }>;
};

export type Comparison = {
  readonly readers: readonly Reader[];
  /** Empty: every reader has the sums of the books, account by account, and the figures of the proof. */
  readonly differences: readonly string[];
  /** A table: the books beside each reader, by kind of account and currency. */
  readonly figures: readonly string[];
  readonly accounts: number;
};

/** Between two runs of a job that posts lie minutes, and a reading takes seconds. */
const READINGS_MAX = 5;

const POSTED = `select account_id as account, move, sum(amount)::text as units from postings where marketplace_id = $1 group by 1, 2`;

const addTo = (sums: Map<string, bigint>, account: string, units: bigint): void => {
  sums.set(account, (sums.get(account) ?? 0n) + units);
};

const sumsOfBooks = async ({ sql, marketplaceId }: ComparedBooks): Promise<Sums> => {
  const sums = new Map<string, bigint>();
  for (const { account, move, units } of await sql(POSTED, [marketplaceId])) {
    const { name, currency } = exportAccount(account, move);
    addTo(sums, `${name} ${currency}`, BigInt(units));
  }
  return sums;
};

const sumsBy = (reader: Reader, journal: string): Promise<Sums> | Sums =>
  reader === 'jsonl' ? readJournal(journal).sums : sumsByTool(reader, journal);

/** In the spelling of the reader. */
const namedFor = (reader: Reader, sums: Sums): Sums => {
  if (reader === 'jsonl') return sums;
  const entries = [...sums].map(([account, units]) => {
    const [name, currency] = account.split(' ');
    return [`${nameIn(reader, name!)} ${currency}`, units] as const;
  });
  return new Map(entries);
};

/** The sums of all accounts with the same first parts of the name, in lower case. Small parts of a name say whose account it is. */
const grouped = (sums: Sums, parts: number): Map<string, bigint> => {
  const groups = new Map<string, bigint>();
  for (const [account, units] of sums) {
    const [name, currency] = account.split(' ');
    addTo(groups, `${name!.toLowerCase().split(':').slice(0, parts).join(':')} ${currency}`, units);
  }
  return groups;
};

const signedText = (units: bigint): string => (units < 0n ? `-${exactText(-units)}` : exactText(units));

/** The holdings of the proof are the assets and what was spent of them, its claims the liabilities and the income. */
const againstProof = (figures: readonly ProofFigures[], { reader, sums }: { reader: Reader; sums: Sums }): string[] => {
  const totals = grouped(sums, 1);
  return figures.flatMap(({ currency, claims, holdings, adjustments, openingBalances }) => {
    const total = (...kinds: string[]): bigint =>
      kinds.reduce((sum, kind) => sum + (totals.get(`${kind} ${currency}`) ?? 0n), 0n);
    const pairs = [
      ['holdings', exactUnits(holdings), -total('assets', 'expenses')],
      ['adjustments and opening balances', exactUnits(adjustments) + exactUnits(openingBalances), -total('equity')],
      ['claims', exactUnits(claims), total('liabilities', 'income')],
    ] as const;
    return pairs
      .filter(([, ours, theirs]) => ours !== theirs)
      .map(
        ([what, ours, theirs]) =>
          `${reader}: ${what} ${currency} ${signedText(theirs)}, the proof has ${signedText(ours)}`,
      );
  });
};

/** As accountants sign them: assets and expenses are positive. */
const tableOf = (books: Sums, read: ReadonlyMap<Reader, Sums>): string[] => {
  const columns = [...read].map(([reader, sums]) => [reader, grouped(sums, 2)] as const);
  const ours = grouped(books, 2);
  const rows = [...ours.keys()]
    .toSorted()
    .map((group) => [
      group,
      signedText(-ours.get(group)!),
      ...columns.map(([, groups]) => signedText(-(groups.get(group) ?? 0n))),
    ]);
  const table = [['account', 'books', ...read.keys()], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
  );
};

export const installedTools = async (): Promise<OutsideTool[]> => {
  const installed = await Promise.all(OUTSIDE_TOOLS.map(isInstalled));
  return OUTSIDE_TOOLS.filter((_, at) => installed[at]);
};

type Reading = {
  readonly books: Sums;
  readonly proof: readonly ProofFigures[];
  readonly read: ReadonlyMap<Reader, Sums>;
};

const readOnce = async (compared: ComparedBooks, readers: readonly Reader[]): Promise<Reading> => {
  const books = await sumsOfBooks(compared);
  const { currencies: proof } = await compared.readProof();
  const read = new Map<Reader, Sums>();
  for (const reader of readers) read.set(reader, await sumsBy(reader, await compared.readJournal(reader)));
  return { books, proof, read };
};

/** Each file is read on its own. So a reading counts only if nothing was posted during it: a job can run at any time. */
const readUnchanged = async (compared: ComparedBooks, readers: readonly Reader[]): Promise<Reading> => {
  for (let attempt = 1; ; attempt++) {
    const reading = await readOnce(compared, readers);
    if (differences(reading.books, await sumsOfBooks(compared)).length === 0) return reading;
    if (attempt === READINGS_MAX) throw new Error(`the books changed during each of ${READINGS_MAX} readings`);
  }
};

export const compareBooks = async (compared: ComparedBooks): Promise<Comparison> => {
  const readers: Reader[] = ['jsonl', ...(await installedTools())];
  const { books, proof, read } = await readUnchanged(compared, readers);
  const found = [...read].flatMap(([reader, sums]) => [
    ...differences(namedFor(reader, books), sums).map((difference) => `${reader}: ${difference}`),
    ...againstProof(proof, { reader, sums }),
  ]);
  return { readers, differences: found, figures: tableOf(books, read), accounts: books.size };
};

/** All bytes of a file as text. */
export const textOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};
