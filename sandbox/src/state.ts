// The state of the simulators: tables of plain records, owned in memory and written to a journal. All changes of one synchronous
// step are one line of the journal, so a killed process leaves them whole or not at all. Records hold strings, numbers, booleans,
// null, bigints, arrays and plain objects, never anything else.

import { appendLine, claimJournal, type Journal } from './state-journal.ts';

export type Table<T> = {
  get(key: string): T | undefined;
  has(key: string): boolean;
  // Also needed after a record was changed in place: only records that were set are written.
  set(key: string, record: T): void;
  delete(key: string): void;
  // In the order in which the keys were first set.
  values(): IterableIterator<T>;
  keys(): IterableIterator<string>;
  readonly size: number;
};

// The tables of one simulator. The same name gives the same table.
export type Slice = { table<T>(name: string): Table<T> };

export type State = {
  slice(name: string): Slice;
  // Writes the changes. Returns when the operating system has them, so they survive a crash of this process.
  flush(): void;
  clear(): void;
  close(): void;
};

type Row = [table: string, key: string, record?: unknown];
type Memory = Map<string, Map<string, unknown>>;

export function openState({ file }: { file: string | null }): State {
  const memory: Memory = new Map();
  const changed = new Map<string, Set<string>>();
  let journal: Journal | null = null;
  if (file !== null) {
    const claimed = claimJournal(file);
    try {
      for (const line of claimed.lines()) applyLine({ memory, line });
      journal = claimed.rewrite(rewrite(memory));
    } catch (error) {
      claimed.giveUp();
      throw error;
    }
  }

  const flush = () => {
    if (changed.size === 0) return;
    const rows: Row[] = [];
    for (const [table, keys] of changed) {
      const records = memory.get(table);
      for (const key of keys) rows.push(records?.has(key) ? [table, key, records.get(key)] : [table, key]);
    }
    changed.clear();
    if (journal !== null) appendLine(journal, write(rows));
  };

  const mark = (table: string, key: string) => {
    const keys = changed.get(table);
    if (keys === undefined) changed.set(table, new Set([key]));
    else keys.add(key);
  };

  return {
    slice: (slice) => ({ table: <T>(name: string) => openTable<T>({ memory, mark, name: `${slice}/${name}` }) }),
    flush,
    clear() {
      for (const [table, records] of memory) {
        for (const key of records.keys()) mark(table, key);
        records.clear();
      }
      flush();
    },
    close() {
      flush();
      journal?.close();
      journal = null;
    },
  };
}

function openTable<T>({ memory, mark, name }: { memory: Memory; mark: Mark; name: string }): Table<T> {
  const records = (memory.get(name) ?? new Map()) as Map<string, T>;
  memory.set(name, records);
  return {
    get: (key) => records.get(key),
    has: (key) => records.has(key),
    set(key, record) {
      records.set(key, record);
      mark(name, key);
    },
    delete(key) {
      if (records.delete(key)) mark(name, key);
    },
    values: () => records.values(),
    keys: () => records.keys(),
    get size() {
      return records.size;
    },
  };
}

type Mark = (table: string, key: string) => void;

function applyLine({ memory, line }: { memory: Memory; line: string }): void {
  for (const [table, key, ...record] of read(line) as Row[]) {
    const records = memory.get(table) ?? new Map<string, unknown>();
    memory.set(table, records);
    if (record.length === 0) records.delete(key);
    else records.set(key, record[0]);
  }
}

function* rewrite(memory: Memory): Generator<string> {
  for (const [table, records] of memory) {
    for (const [key, record] of records) yield write([[table, key, record]]);
  }
}

// JSON has no integers of this size: a bigint is stored as { "$bigint": "…" }.
const write = (rows: Row[]) =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? { $bigint: String(value) } : value));

const read = (line: string): unknown =>
  JSON.parse(line, (_, value) => (typeof value?.$bigint === 'string' ? BigInt(value.$bigint) : value));
