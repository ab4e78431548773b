// The rule for names: one line, so that no name can break a log line, a table or a CSV file. The server refuses other names, and an import
// finds them before it writes anything. Imports nothing, so that the command line can use it.

/** Control characters and line breaks. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export const isOneLine = (text: string): boolean => /\S/.test(text) && !UNSAFE.test(text);

/** A name in free-form data may be absent or empty. A value that is no text is not a name. */
export const isOneLineOrNone = (value: unknown): boolean =>
  typeof value !== 'string' || value === '' || isOneLine(value);

/** The end of a sentence that begins with the name of the field. */
export const ONE_LINE_RULE = 'must be one line with at least one visible character, without control characters';
