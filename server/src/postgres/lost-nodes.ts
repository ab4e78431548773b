// Machines of a distributed database that do not answer. Commands of their marketplaces are refused at once, so that the commands of other
// marketplaces do not wait behind them. A machine is asked again, over a connection of its own, until it answers.

import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type BackOff, backOffMs } from '../base/wait.ts';

export type LostNodes = {
  /** The machine of this marketplace did not answer. */
  report(marketplaceId: string): Promise<void>;
  isAny(): boolean;
  /** Those of the marketplaces whose machine is known not to answer. */
  among(marketplaceIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Called when a machine is lost. A statement that was sent to a silent machine may never be answered. */
  onLost(listener: () => void): void;
  /** Also finds machines that accept a statement and never answer it. Only for a distributed database. */
  watch(): void;
  close(): Promise<void>;
};

type Options = {
  connect(): Promise<pg.Client>;
  onTrouble(message: string, error: unknown): void;
};

const BACK_OFF: BackOff = { firstMs: 100, maxMs: 1_000 };
const WATCH_MS = 2_000;

/** Reads only the catalogue of the coordinator. */
const PLACES = `select m.id, p.groupid as node from unnest($1::text[]) m (id)
  join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('marketplaces', m.id)`;

/** The time that a new connection to a machine may take, whatever the database is set to. */
const PATIENCE = `set citus.node_connection_timeout = '3s'`;

// Each over a new connection: one that exists may be silent although the machine was started again.
const CHECK = `select groupid as node, citus_check_connection_to_node(nodename, nodeport) as answers from pg_dist_node
  where groupid > 0 and isactive and noderole = 'primary' and groupid = coalesce($1::integer, groupid)`;

type Checked = { readonly node: number; readonly answers: boolean };

/** Each over a connection of its own. */
const askedBy =
  (connect: Options['connect']) =>
  async <Row extends pg.QueryResultRow>(text: string, value: unknown): Promise<Row[]> => {
    const client = await connect();
    try {
      await client.query(PATIENCE);
      return (await client.query<Row>(text, [value])).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };

export const createLostNodes = ({ connect, onTrouble }: Options): LostNodes => {
  const lost = new Set<number>();
  /** Valid for a short time: a marketplace may move to another machine. */
  const places = new Map<string, number>();
  const probes = new Set<Promise<void>>();
  const listeners = new Set<() => void>();
  const closing = new AbortController();

  const asked = askedBy(connect);

  const findPlaces = async (marketplaceIds: readonly string[]): Promise<void> => {
    const unknown = marketplaceIds.filter((id) => !places.has(id));
    if (unknown.length === 0) return;
    for (const { id, node } of await asked<{ id: string; node: number }>(PLACES, unknown)) places.set(id, node);
  };

  const rest = (ms: number): Promise<unknown> => pause(ms, null, { signal: closing.signal }).catch(() => {});

  const untilItAnswers = async (node: number): Promise<void> => {
    for (let tries = 1; !closing.signal.aborted; tries++) {
      await rest(backOffMs(BACK_OFF, tries));
      places.clear();
      const checked = await asked<Checked>(CHECK, node).catch(() => []);
      if (checked.some(({ answers }) => answers)) break;
    }
    lost.delete(node);
  };

  const run = (work: Promise<void>): void => {
    probes.add(work);
    void work.finally(() => probes.delete(work));
  };

  const lose = (node: number): void => {
    if (lost.has(node)) return;
    lost.add(node);
    onTrouble('a machine of the database does not answer; its marketplaces are refused until it does', { node });
    for (const listener of listeners) listener();
    run(untilItAnswers(node));
  };

  const watchNodes = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await rest(WATCH_MS);
      const checked = await asked<Checked>(CHECK, null).catch(() => []);
      if (closing.signal.aborted) return;
      for (const { node, answers } of checked) if (!answers) lose(node);
    }
  };

  return {
    isAny: () => lost.size > 0,
    async report(marketplaceId) {
      try {
        await findPlaces([marketplaceId]);
      } catch (error) {
        onTrouble('the machine of a marketplace could not be found', error);
      }
      const node = places.get(marketplaceId);
      // Without the coordinator nothing is answered, so it is never marked.
      if (node !== undefined && node > 0) lose(node);
    },
    async among(marketplaceIds) {
      try {
        await findPlaces(marketplaceIds);
      } catch (error) {
        onTrouble('the machines of marketplaces could not be found', error);
      }
      return new Set(marketplaceIds.filter((id) => lost.has(places.get(id) ?? Number.NaN)));
    },
    onLost: (listener) => void listeners.add(listener),
    watch: () => run(watchNodes()),
    async close() {
      closing.abort();
      await Promise.all(probes);
    },
  };
};
