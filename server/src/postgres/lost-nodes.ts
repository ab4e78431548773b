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
  close(): Promise<void>;
};

type Options = {
  connect(): Promise<pg.Client>;
  onTrouble(message: string, error: unknown): void;
};

const BACK_OFF: BackOff = { firstMs: 100, maxMs: 1_000 };

/** Reads only the catalogue of the coordinator. */
const PLACES = `select m.id, p.groupid as node from unnest($1::text[]) m (id)
  join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('marketplaces', m.id)`;

const ASK = 'select 1 from marketplaces where marketplace_id = $1';

export const createLostNodes = ({ connect, onTrouble }: Options): LostNodes => {
  const lost = new Set<number>();
  /** Valid for a short time: a marketplace may move to another machine. */
  const places = new Map<string, number>();
  const probes = new Set<Promise<void>>();
  const closing = new AbortController();

  const asked = async <Row extends pg.QueryResultRow>(text: string, value: unknown): Promise<Row[]> => {
    const client = await connect();
    try {
      return (await client.query<Row>(text, [value])).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };

  const findPlaces = async (marketplaceIds: readonly string[]): Promise<void> => {
    const unknown = marketplaceIds.filter((id) => !places.has(id));
    if (unknown.length === 0) return;
    for (const { id, node } of await asked<{ id: string; node: number }>(PLACES, unknown)) places.set(id, node);
  };

  const untilItAnswers = async (node: number, marketplaceId: string): Promise<void> => {
    for (let tries = 1; !closing.signal.aborted; tries++) {
      await pause(backOffMs(BACK_OFF, tries), null, { signal: closing.signal }).catch(() => {});
      places.clear();
      const answers = await asked(ASK, marketplaceId).then(
        () => true,
        () => false,
      );
      if (answers) break;
    }
    lost.delete(node);
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
      if (node === undefined || lost.has(node)) return;
      lost.add(node);
      onTrouble('a machine of the database does not answer; its marketplaces are refused until it does', { node });
      const probe = untilItAnswers(node, marketplaceId);
      probes.add(probe);
      void probe.finally(() => probes.delete(probe));
    },
    async among(marketplaceIds) {
      try {
        await findPlaces(marketplaceIds);
      } catch (error) {
        onTrouble('the machines of marketplaces could not be found', error);
      }
      return new Set(marketplaceIds.filter((id) => lost.has(places.get(id) ?? Number.NaN)));
    },
    async close() {
      closing.abort();
      await Promise.all(probes);
    },
  };
};
