// Reads the bytes of a CSV file into rows of cells. A file that cannot be read as a table is refused with what to do about it.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { CsvError, parse } from 'csv-parse/sync';
import { DomainError } from '../../base/domain-error.ts';
import { validationError } from '../../http/validation/messages.ts';

type Row = { readonly number: number; readonly cells: readonly string[] };

export type Table = { readonly header: readonly string[]; readonly rows: readonly Row[] };

const RECORD_LENGTH_MAX = 20_000;
const CELLS_MAX = 200;

/** Only the one base64 that the bytes have: with its padding, and without line breaks. */
export const readBytes = (content: string): Buffer => {
  const bytes = Buffer.from(content, 'base64');
  const limitBytes = LIMITS.providerStatementBytes;
  if (bytes.length > limitBytes) {
    throw new DomainError('PAYLOAD_TOO_LARGE', {
      message: `A provider statement may have at most ${limitBytes} bytes. Upload it in parts with shorter ranges.`,
      details: { limitBytes },
    });
  }
  if (bytes.length === 0 || bytes.toString('base64') !== content) throw validationError(['content must be base64']);
  return bytes;
};

const decode = (bytes: Buffer): string => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw validationError(['The file is not UTF-8. Save it again as CSV with the encoding UTF-8.']);
  }
  if (text.includes('\0')) throw validationError(['The file contains null characters. Save it again as CSV in UTF-8.']);
  return text;
};

const whyUnreadable = ({ code, records }: CsvError & { readonly records?: number }): string => {
  const row = `row ${(records ?? 0) + 1}`;
  return code === 'CSV_MAX_RECORD_SIZE'
    ? `${row}: has more than ${RECORD_LENGTH_MAX} characters, or a quotation mark that is not closed`
    : `${row}: has a quotation mark that is not closed, or that is not at the beginning or the end of a cell`;
};

const parseRows = (text: string): string[][] => {
  try {
    return parse(text, {
      relax_column_count: true,
      max_record_size: RECORD_LENGTH_MAX,
      // The header, and one more than the limit, to see that there are too many.
      to: LIMITS.providerStatementLines + 2,
    }) as string[][];
  } catch (error) {
    if (error instanceof CsvError) throw validationError([whyUnreadable(error)]);
    throw error;
  }
};

const SEPARATORS: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical lines' };

const checkHeader = (header: readonly string[]): void => {
  if (header.length > CELLS_MAX) throw validationError([`row 1: has more than ${CELLS_MAX} columns`]);
  if (header.length > 1) return;
  for (const [separator, name] of Object.entries(SEPARATORS)) {
    if (header[0]?.includes(separator) !== true) continue;
    throw validationError([
      `The columns of the file are separated by ${name}. Save it as CSV with commas between the columns.`,
    ]);
  }
};

export const readTable = (bytes: Buffer): Table => {
  const all = parseRows(decode(bytes)).map((cells, index) => ({ number: index + 1, cells }));
  const header = (all[0]?.cells ?? []).map((cell) => cell.trim());
  checkHeader(header);
  if (all.length - 1 > LIMITS.providerStatementLines) {
    throw validationError([
      `The file has more than ${LIMITS.providerStatementLines} lines. Upload it in parts with shorter ranges.`,
    ]);
  }
  return { header, rows: all.slice(1).filter(({ cells }) => cells.some((cell) => cell.trim() !== '')) };
};
