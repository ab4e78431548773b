// Reads all rows of a list, page by page, and writes them as CSV. Each time is written twice: in UTC and in the time of the browser.

import type { HoldfastError } from '@holdfast/sdk';
import { type CsvValue, csvLine } from './csv.ts';
import type { FetchPage } from './paged.ts';
import { localTime, zoneName } from './zone.ts';

type ExportColumn<Row> = { readonly name: string } & (
  | { readonly value: (row: Row) => CsvValue }
  | { readonly time: (row: Row) => string | null | undefined }
);

/** What is exported of a list, and the first part of the name of the file. */
export type Exported<Row> = {
  readonly file: string;
  readonly columns: readonly ExportColumn<Row>[];
  /** Which rows are exported, where it is not all rows that fit the filters. */
  readonly which?: string;
};

export const EXPORT_MAX = 100_000;
const PAGE_SIZE = 100;
/** Pages that are read without a pause. After them the export leaves half of the rate limit to the console. */
const UNPACED_PAGES = 20;
const REFUSED_TRIES = 5;

type Options<Row> = {
  readonly fetchPage: FetchPage<Row>;
  readonly columns: readonly ExportColumn<Row>[];
  /** The pause between two pages of a long list. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
  readonly max?: number;
};

export type Written = { readonly parts: readonly string[]; readonly rows: number; readonly isCut: boolean };

export const exportRows = async <Row>(options: Options<Row>): Promise<Written> => {
  const { columns, signal, max = EXPORT_MAX } = options;
  const parts = [headerOf(columns)];
  let rows = 0;
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const { items, nextCursor } = await pageAt(options, cursor);
    const taken = items.slice(0, max - rows);
    parts.push(taken.map((row) => lineOf(row, columns)).join(''));
    rows += taken.length;
    options.onProgress(rows);
    const isLast = nextCursor === null;
    if (isLast || rows === max) return { parts, rows, isCut: !isLast || taken.length < items.length };
    cursor = nextCursor;
    if (pages >= UNPACED_PAGES) await pause(options.pauseMs, signal);
  }
};

/** A long export may meet the rate limit more often than the client retries. */
const pageAt = async <Row>({ fetchPage, signal }: Options<Row>, cursor: string | undefined) => {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    try {
      return await fetchPage({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) });
    } catch (error) {
      const { status, retryAfter } = error as Partial<HoldfastError>;
      if (status !== 429 || tries === REFUSED_TRIES) throw error;
      await pause((retryAfter ?? 1) * 1_000, signal);
    }
  }
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });

const headerOf = <Row>(columns: readonly ExportColumn<Row>[]): string =>
  csvLine(columns.flatMap((column) => ('time' in column ? timeNames(column.name) : [column.name])));

const timeNames = (name: string): string[] => [`${name} (UTC)`, `${name} (${zoneName()})`];

const lineOf = <Row>(row: Row, columns: readonly ExportColumn<Row>[]): string =>
  csvLine(columns.flatMap((column) => ('time' in column ? timesOf(column.time(row)) : [column.value(row)])));

const timesOf = (at: string | null | undefined): CsvValue[] => (at ? [at, localTime(new Date(at))] : [null, null]);
