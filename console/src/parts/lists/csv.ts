// Writes CSV as RFC 4180 describes it: commas, CRLF, and quotes where a cell needs them. A text that a spreadsheet would take for a
// formula begins with an apostrophe. Amounts are written as the API gave them, so no digit is lost.

export type CsvValue = string | number | boolean | null | undefined;

/** What spreadsheets take for the beginning of a formula, also after blanks and in full width. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** A decimal number is no formula, also a negative one. */
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]|^\s|\s$/;

const cell = (value: CsvValue): string => {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\r\n`;

/** Spreadsheets that do not expect UTF-8 recognise it by this mark. */
export const BYTE_ORDER_MARK = '\u{feff}';
