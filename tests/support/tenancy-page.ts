// The parts of docs/scaling.md that are printed from the lists and the schema.

import { ACROSS, HOUSE_SCHEMAS, HOUSE_TABLES } from './tenancy-lists.ts';
import { tablesOf } from './tenancy-partitions.ts';

const coded = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

export const printTables = (schema: string): string =>
  [
    '| Kind | Tables |',
    '|---|---|',
    `| distributed by \`marketplace_id\`, all co-located | ${coded(tablesOf(schema))} |`,
    ...HOUSE_TABLES.map(({ name, why }) => `| local | \`${name}\`: ${why} |`),
    ...HOUSE_SCHEMAS.map(({ name, why }) => `| local | the schema \`${name}\`: ${why} |`),
  ].join('\n');

/** Grouped by the reason. */
export const printAcross = (): string =>
  [...Map.groupBy(ACROSS, ({ why }) => why)]
    .map(([why, statements]) => `- ${why} Asked for: ${statements.map(({ asks }) => asks).join('; ')}.`)
    .join('\n');
