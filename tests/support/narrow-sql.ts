// Statements of a test that see only the marketplaces of that test, on a cluster: there, views cannot be changed and settings of a
// connection do not reach the nodes, so the statement itself names the marketplaces.

const NAMED = /\b(?:from|join) (\w+)/gi;
const CHANGE = /^\s*(?:update|delete from) (\w+)(?: (?:as )?(?!set\b|where\b|using\b|returning\b)(\w+))?/i;
const WITH = /^\s*with (?!recursive)/i;
const RETURNING = /\s+returning\b[\s\S]*$/i;

const listOf = (places: readonly string[]): string => `('${places.join(`', '`)}')`;

/** The tables hide those of the schema: each is a part of the statement, with the rows of these marketplaces. */
const narrowRead = (text: string, { tables, rows }: { tables: ReadonlySet<string>; rows: string }): string => {
  const named = new Set([...text.matchAll(NAMED)].map(([, name]) => name!).filter((name) => tables.has(name)));
  if (named.size === 0) return text;
  const parts = [...named].map((name) => `${name} as (select * from public.${name} where marketplace_id in ${rows})`);
  return WITH.test(text)
    ? text.replace(WITH, `with ${parts.join(', ')}, `)
    : `with ${parts.join(', ')} ${text.trimStart()}`;
};

const narrowChange = (text: string, rows: string): string => {
  const [, table, alias] = CHANGE.exec(text)!;
  const returning = RETURNING.exec(text)?.[0] ?? '';
  const body = text.slice(0, text.length - returning.length);
  const condition = `${alias ?? table}.marketplace_id in ${rows}`;
  const where = /\bwhere\b/i.exec(body);
  if (where === null) return `${body} where ${condition}${returning}`;
  const end = where.index + where[0].length;
  return `${body.slice(0, where.index)}where ${condition} and (${body.slice(end)})${returning}`;
};

export const narrowSql = (text: string, of: { tables: ReadonlySet<string>; places: readonly string[] }): string => {
  const rows = listOf(of.places);
  const changed = CHANGE.exec(text)?.[1];
  if (changed !== undefined) return of.tables.has(changed) ? narrowChange(text, rows) : text;
  return /^\s*(select|with)\b/i.test(text) ? narrowRead(text, { tables: of.tables, rows }) : text;
};
