// An index of records by the provider's id and by our code, listed newest first with cursors. An enterprise sees only its own records,
// and a code is unique per enterprise. The index lives in memory and is built from the table at every start.

import type { Table } from '../state.ts';
import { FIRST } from './enterprises.ts';

// A state file that is older than the enterprises has records without one.
type IndexedRecord = { id: string; code: string | null; number: number; status: string; enterprise?: string };

export type Page<T> = { items: T[]; startCursor?: string; endCursor?: string };
export type PageQuery = { before?: string; after?: string; perPage: number; status?: string };

export type RecordIndex<T extends IndexedRecord> = {
  rebuild(): void;
  nextNumber(): number;
  get(id: string): T | undefined;
  // Of any enterprise; the newest one with this code.
  either(idOrCode: string): T | undefined;
  put(record: T): void;
  all(): IterableIterator<T>;
  of(enterprise: string): OwnRecords<T>;
};

type OwnRecords<T> = {
  get(id: string): T | undefined;
  byCode(code: string): T | undefined;
  page(query: PageQuery): Page<T>;
};

export function openRecordIndex<T extends IndexedRecord>(table: Table<T>): RecordIndex<T> {
  let ids: string[] = [];
  let codes = new Map<string, string>();

  const index = ({ id, code, number, enterprise = FIRST }: T) => {
    ids[number] = id;
    if (code === null) return;
    codes.set(code, id);
    codes.set(ownCode(enterprise, code), id);
  };
  const byCode = (code: string) => {
    const id = codes.get(code);
    return id === undefined ? undefined : table.get(id);
  };

  const page = (isWanted: (record: T) => boolean, { before, after, perPage }: PageQuery): Page<T> => {
    const items: T[] = [];
    // Newest first: "after" a cursor means older.
    const step = before !== undefined ? 1 : -1;
    const start = before !== undefined ? Number(before) + 1 : after !== undefined ? Number(after) - 1 : ids.length - 1;
    for (let number = start; number > 0 && number < ids.length && items.length < perPage; number += step) {
      const record = table.get(ids[number]!);
      if (record !== undefined && isWanted(record)) items.push(record);
    }
    if (step === 1) items.reverse();
    const first = items.at(0);
    const last = items.at(-1);
    if (first === undefined || last === undefined) return { items };
    return { items, startCursor: String(first.number), endCursor: String(last.number) };
  };

  return {
    rebuild() {
      ids = [];
      codes = new Map();
      for (const record of table.values()) index(record);
    },
    nextNumber: () => Math.max(ids.length, 1),
    get: (id) => table.get(id),
    either: (idOrCode) => table.get(idOrCode) ?? byCode(idOrCode),
    put(record) {
      table.set(record.id, record);
      index(record);
    },
    all: () => table.values(),
    of: (enterprise) => ({
      get(id) {
        const record = table.get(id);
        return record !== undefined && isOf(record, enterprise) ? record : undefined;
      },
      byCode: (code) => byCode(ownCode(enterprise, code)),
      page: ({ status, ...query }) =>
        page((one) => isOf(one, enterprise) && (status === undefined || one.status === status), query),
    }),
  };
}

const isOf = (record: IndexedRecord, enterprise: string) => (record.enterprise ?? FIRST) === enterprise;

// A line break cannot be part of a code that is sent in a URL, so the two texts never mix.
const ownCode = (enterprise: string, code: string) => `${enterprise}\n${code}`;
