// Rows of CSV files, as RFC 4180 says. A text that a caller wrote must not become a formula in a spreadsheet.

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvRow = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
export const plainText = (text: string | null): string =>
  text !== null && /^[=+\-@\t\r]/.test(text) ? `'${text}` : (text ?? '');

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A row whose cells may be texts of callers, numbers or nothing. A negative number is no formula. */
export const guardedRow = (cells: readonly (string | null)[]): string =>
  csvRow(cells.map((text) => (text !== null && NUMBER.test(text) ? text : plainText(text))));
