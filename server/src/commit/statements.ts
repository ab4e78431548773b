// Changes of sets of rows as SQL. The text is the same for any number of rows, so each statement is prepared once. On a distributed
// database the same changes are a function, which runs on the machine of its marketplace: see `writeFunction`.

import { createHash } from 'node:crypto';
import type { StatementValue } from '../postgres/message-buffer.ts';
import { type Column, columnOf } from './columnar.ts';

/**
 * `one`: all rows are of the marketplace `$1`. `many`: each row has its marketplace in front of its columns, so that one statement serves
 * the commands of many marketplaces. `function`: as `one`, but carried out by a function.
 */
export type Form = 'one' | 'many' | 'function';

/** The rows of a change: `from` is where they are read, `rows` is their name there. */
type Given = { readonly form: Form; readonly rows: string; readonly from: string; param(column: string): string };

/** One change of a set of rows. `sql` changes one row for each row that it got, or finds one when it only checks. */
type Change<Row> = {
  readonly columns: readonly Column<Row>[];
  sql(given: Given): string;
  /** The same for one row, whose values `at` returns by column. */
  readonly row?: (at: (column: string) => string) => string;
};

/** The marketplace of a row. */
export const marketplaceOf = ({ form, rows }: Given): string => (form === 'many' ? `${rows}.marketplace_id` : '$1');

/** The rows as they are inserted: the marketplace, then the columns. */
export const selectRows = ({ form, rows, from }: Given): string =>
  form === 'many' ? `select * from ${from}` : `select $1, ${rows}.* from ${from}`;

/** The beginning of an insert, in the order of `selectRows` and `rowValues`. */
export const insertOf = <Row>(table: string, columns: readonly Column<Row>[]): string =>
  `insert into ${table} (marketplace_id, ${columns.map(([name]) => name).join(', ')})`;

export const rowValues = <Row>(columns: readonly Column<Row>[], at: (column: string) => string): string =>
  `values ($1, ${columns.map(([name]) => at(name)).join(', ')})`;

export const insertInto = <Row>(table: string, columns: readonly Column<Row>[]): Change<Row> => ({
  columns,
  sql: (given) => `${insertOf(table, columns)} ${selectRows(given)}`,
  row: (at) => `${insertOf(table, columns)} ${rowValues(columns, at)}`,
});

type OfMarketplace = { readonly marketplaceId: string };
type Changes<Rows extends OfMarketplace[]> = { readonly [I in keyof Rows]: Change<Rows[I]> };

/** Several changes that are sent as one statement, which costs the database less than one statement each. */
export type Statement<Rows extends OfMarketplace[]> = {
  readonly name: string;
  readonly texts: Readonly<Record<Form, string>>;
  readonly called: WriteFunction;
  readonly changes: Changes<Rows>;
};

const MARKETPLACES: Column<OfMarketplace> = ['marketplace_id', 'text', (row) => row.marketplaceId];

const columnsOf = ({ columns }: Change<OfMarketplace>, form: Form): readonly Column<OfMarketplace>[] =>
  form === 'many' ? [MARKETPLACES, ...columns] : columns;

type Named = { readonly name: string; readonly changes: readonly Change<OfMarketplace>[] };

type Part = {
  readonly sql: string;
  /** Changes the row `i` of the arrays. */
  readonly row: string | undefined;
  readonly unnested: string;
  readonly types: readonly string[];
  readonly count: string;
};

/** The changes with their parameters, numbered one after the other: the columns of each, then the number of its rows. */
const partsOf = (form: Form, { changes }: Named): Part[] => {
  let next = form === 'many' ? 1 : 2;
  return changes.map((change, i) => {
    const first = next;
    const columns = columnsOf(change, form);
    next += columns.length + 1;
    const param = (column: string): string => `$${first + columns.findIndex(([title]) => title === column)}`;
    // Set-returning functions in one select list advance together, which is cheaper than a join of one scan per array.
    const unnested = `select ${columns.map(([title, type]) => `unnest(${param(title)}::${type}[]) as ${title}`).join(', ')}`;
    const rows = `rows_${i}`;
    const from = form === 'function' ? `(${unnested}) ${rows}` : rows;
    const types = [...columns.map(([, type]) => `${type}[]`), 'bigint'];
    const row = change.row?.((column) => `(${param(column)})[i]`);
    return { sql: change.sql({ form, rows, from, param }), row, unnested, types, count: `$${next - 1}` };
  });
};

const CHECK = /^select/;

/** All changes as one statement, which fails unless every change affects exactly as many rows as it got. */
const combined = (form: Form, of: Named): string => {
  const parts = partsOf(form, of);
  const steps = parts.map(({ sql, unnested }, i) => {
    const touched = CHECK.test(sql) ? sql : `${sql} returning 1`;
    return `rows_${i} as (${unnested}), touched_${i} as (${touched})`;
  });
  const counts = parts.map(
    ({ count }, i) => `require_rows((select count(*) from touched_${i}), ${count}, '${of.name} ${i}')`,
  );
  return `with ${steps.join(', ')} select ${counts.join(', ')}`;
};

/**
 * On a machine of a distributed database, an insert of one row took about 120 µs of its processor, and an insert of a set about 900 µs, however
 * few rows it had.
 */
const ROWS_ONE_BY_ONE_MAX = 8;

const stepOf = ({ sql, row, count }: Part, what: string): string => {
  const set = `    ${CHECK.test(sql) ? sql.replace(CHECK, 'perform') : sql};
    get diagnostics touched = row_count;`;
  const oneByOne = `    touched := 0;
    for i in 1..${count} loop
      ${row};
      get diagnostics changed = row_count;
      touched := touched + changed;
    end loop;`;
  const both = `    if ${count} <= ${ROWS_ONE_BY_ONE_MAX} then\n${oneByOne}\n    else\n${set}\n    end if;`;
  return `  if ${count} > 0 then\n${row === undefined ? set : both}\n    perform require_rows(touched, ${count}, '${what}');\n  end if;`;
};

/** The body of a function that carries out the changes one after the other. */
const bodyOf = (of: Named): string => {
  const steps = partsOf('function', of).map((part, i) => stepOf(part, `${of.name} ${i}`));
  return `declare touched bigint; changed bigint;\nbegin\n${steps.join('\n')}\nend`;
};

export type WriteFunction = {
  readonly name: string;
  /** The types of its parameters. The first one is the marketplace. */
  readonly types: readonly string[];
  readonly body: string;
};

/**
 * Its name contains a hash of its body: servers of two versions run on one database during an upgrade, each with its own function, and a
 * function that exists never has to be replaced.
 */
const functionOf = (of: Named): WriteFunction => {
  const body = bodyOf(of);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  const types = ['text', ...partsOf('function', of).flatMap((part) => part.types)];
  return { name: `${of.name.replaceAll('-', '_')}_${hash}`, types, body };
};

export const statement = <Rows extends OfMarketplace[]>(name: string, changes: Changes<Rows>): Statement<Rows> => {
  const of = { name, changes: changes as unknown as readonly Change<OfMarketplace>[] };
  const called = functionOf(of);
  const call = `select ${called.name}(${called.types.map((type, i) => `$${i + 1}::${type}`).join(', ')})`;
  return { name, texts: { one: combined('one', of), many: combined('many', of), function: call }, called, changes };
};

/** One parameter per column and one for the number of rows, change by change; the marketplace first when there is only one. */
export const valuesOf = <Rows extends OfMarketplace[]>(
  { changes }: Statement<Rows>,
  { form, sets }: { form: Form; sets: { readonly [I in keyof Rows]: readonly Rows[I][] } },
): StatementValue[] => {
  const all = sets as unknown as readonly (readonly OfMarketplace[])[];
  const values: StatementValue[] = form === 'many' ? [] : [all.find((rows) => rows.length > 0)![0]!.marketplaceId];
  for (const [i, change] of (changes as unknown as readonly Change<OfMarketplace>[]).entries()) {
    for (const column of columnsOf(change, form)) values.push(columnOf(column, all[i]!));
    values.push(all[i]!.length);
  }
  return values;
};
