// Rows of other tables inside a row of an order: each as JSON in one column. The driver takes its time for every column of every row, and most
// orders have no escrow, dispute or operation.

import { type Amount, fromUnits } from '../../books/money.ts';
import type { Table } from '../../commit/tables.ts';

type AmountsOf<Row> = { [Field in keyof Row]-?: Amount extends Row[Field] ? Field : never }[keyof Row] & string;

export type Joined<Row> = {
  readonly table: Table;
  /** Every field with an amount. An amount can be larger than a JSON number, so it travels as text. */
  readonly amounts: Readonly<Record<AmountsOf<Row>, true>>;
  readonly times: readonly (keyof Row & string)[];
};

/** A joined row as it is in the column. */
export type JoinedJson = Readonly<Record<string, unknown>>;

/** JSON prints times in another format than the one of memory. */
const shownTime = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const shownColumns = <Row>({ table, amounts, times }: Joined<Row>): string =>
  table.names
    .map(([field, column]) => {
      if (field in amounts) return `r.${column}::text as "${field}"`;
      return `${times.includes(field as keyof Row & string) ? shownTime(`r.${column}`) : `r.${column}`} as "${field}"`;
    })
    .join(', ');

/** A range of one value in the order of the key, so that the plan is right on an empty table too. See docs/decisions/0031-lookups-by-range.md. */
const byKey = (key: string, value: string): string =>
  `r.marketplace_id = $1 and r.${key} >= ${value} and r.${key} <= ${value}`;

/** The row with the id. `to_json(alias)` is null when there is none. */
export const joinOne = <Row>(joined: Joined<Row>, { alias, id }: { alias: string; id: string }): string =>
  `left join lateral (select ${shownColumns(joined)} from ${joined.table.sql} r
    where ${byKey('id', id)} order by r.id limit 1) ${alias} on true`;

type Several = { readonly alias: string; readonly orderId: string; readonly where?: string };

/** All rows of the order in the column `alias.rows`, in no order: a sort costs more here than in memory. Null when there is none. */
export const joinSeveral = <Row>(joined: Joined<Row>, { alias, orderId, where = 'true' }: Several): string =>
  `left join lateral (select json_agg(r) as rows from (select ${shownColumns(joined)} from ${joined.table.sql} r
    where ${where} and ${byKey('order_id', orderId)} order by r.order_id) r) ${alias} on true`;

/** Readers that share one read get the same JSON, so it is not changed. */
export const readJoined = <Row>(json: JoinedJson, { amounts }: Joined<Row>): Row => {
  const row: Record<string, unknown> = { ...json };
  for (const field in amounts) {
    const units = json[field] as string | null;
    row[field] = units === null ? null : fromUnits(BigInt(units));
  }
  return row as Row;
};
