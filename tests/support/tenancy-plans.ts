// Whether a statement reads only the marketplaces of its parameters, by PostgreSQL's plan on a schema that is partitioned by
// marketplace: such a statement reads one partition of each table, or finds each row by its marketplace.

import pg from 'pg';
import type { Sent } from './tenancy-wire.ts';

type Judgement = {
  /** Marketplace tables that it scans in all marketplaces. */
  readonly crosses: readonly string[];
  /** Tables that the statement names and that the plan does not read for these values. */
  readonly missing: readonly string[];
};

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly Node[];
};

// Tables that are almost empty are read in any order. These leave the plan that shows most of what it goes by.
const SETTINGS = ['seqscan', 'hashjoin', 'mergejoin', 'material', 'memoize', 'bitmapscan']
  .map((name) => `set enable_${name} = off`)
  .join('; ');

const PLANNED = /^\s*(select|insert|update|delete|with)\b/i;
const BY_MARKETPLACE = /\bmarketplace_id = /;
const SAME_MARKETPLACE = /\b(\w+)\.marketplace_id = (\w+)\.marketplace_id\b/g;
/** Rows from parameters, or from another part of the statement; that part is judged separately. */
const GIVEN = /^(Function|CTE|Subquery|Values) Scan$/;

const nodesIn = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];

const conditionsOf = (node: Node): string =>
  Object.entries(node)
    .filter(([name]) => /(Cond|Filter)$/.test(name))
    .map(([, condition]) => String(condition))
    .join(' ');

/** The name of a partition's table in the statement. */
const aliasOf = ({ Alias = '' }: Node): string => Alias.replace(/_\d+$/, '');

/** Several partitions of one table, scanned without a condition on the marketplace. */
const isLoose = (node: Node): boolean =>
  node['Node Type'].includes('Append') &&
  (node.Plans ?? []).filter((part) => part['Relation Name'] && !BY_MARKETPLACE.test(conditionsOf(part))).length > 1;

/** Whether a condition further up ties the rows of this name to the marketplaces of given ones. */
const isTied = (alias: string, { above, given }: { above: string; given: ReadonlySet<string> }): boolean =>
  [...above.matchAll(SAME_MARKETPLACE)].some(
    ([, a, b]) => (a === alias && given.has(b!)) || (b === alias && given.has(a!)),
  );

/** The partitions that are scanned in all marketplaces. */
const looseIn = (node: Node, around: { above: string; given: ReadonlySet<string> }): Node[] => {
  const parts = node.Plans ?? [];
  const own = isLoose(node) ? parts.filter((part) => !isTied(aliasOf(part), around)) : [];
  const below = { ...around, above: `${around.above} ${conditionsOf(node)}` };
  return [...own, ...parts.flatMap((part) => looseIn(part, below))];
};

export const openJudge = async (connection: pg.ClientConfig, tables: readonly string[]) => {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(SETTINGS);
  const named = new RegExp(`\\b(?:from|join|into|update) (${tables.join('|')})\\b`, 'g');
  const tableOf = (node: Node): string | undefined =>
    tables.find((table) => table === node['Relation Name']?.replace(/_\d+$/, ''));

  return {
    async judge({ text, values }: Sent): Promise<Judgement> {
      const used = new Set([...text.replace(/\s+/g, ' ').matchAll(named)].map(([, name]) => name!));
      if (!PLANNED.test(text) || used.size === 0) return { crosses: [], missing: [] };
      const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
      const { Plan: plan } = rows[0]['QUERY PLAN'][0] as { Plan: Node };
      const nodes = nodesIn(plan);
      const shown = new Set(nodes.map(tableOf));
      const given = new Set(nodes.filter((one) => GIVEN.test(one['Node Type'])).map(({ Alias = '' }) => Alias));
      const crosses = looseIn(plan, { above: '', given }).map(tableOf);
      return {
        crosses: [...new Set(crosses.filter((table) => table !== undefined))],
        missing: [...used].filter((table) => !shown.has(table)),
      };
    },
    close: () => client.end(),
  };
};
