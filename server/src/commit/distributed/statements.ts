// Divides a file of SQL into its statements. A distributed database sends some statements to its machines as they were written, and refuses
// those that arrive in one message with others.

/** What may contain a semicolon that ends nothing: a comment, a text, a quoted name, a body between dollar signs. */
const OPAQUE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1/y;

export type Statement = {
  readonly text: string;
  /** The line of the file at which it begins, from 1. */
  readonly line: number;
};

/** The end of a statement that begins at `from`: the place of its semicolon, or the end of the file. */
const endOf = (sql: string, from: number): number => {
  let at = from;
  while (at < sql.length && sql[at] !== ';') {
    OPAQUE.lastIndex = at;
    at += OPAQUE.exec(sql)?.[0].length ?? 1;
  }
  return at;
};

const BLANK = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;

export const splitStatements = (sql: string): Statement[] => {
  const statements: Statement[] = [];
  for (let from = 0; from < sql.length; ) {
    const end = endOf(sql, from);
    const lead = BLANK.exec(sql.slice(from, end))![0].length;
    const text = sql.slice(from + lead, end);
    if (text !== '') statements.push({ text, line: sql.slice(0, from + lead).split('\n').length });
    from = end + 1;
  }
  return statements;
};
