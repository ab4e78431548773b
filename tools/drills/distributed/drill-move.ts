// Drill: a marketplace is moved from one worker to the other and back while it is written to. Citus copies its shards by logical replication
// and switches at the end, so callers wait for a moment, and nothing is lost.

import type pg from 'pg';
import type { Node } from '../../distributed/nodes.ts';
import { type Drill, forSeconds } from '../stage.ts';
import { openCluster } from './cluster.ts';
import { seenBetween, shopsProgress } from './shops.ts';
import { proveShops } from './shops-proof.ts';

const CREDITS_MIN = 20;

const MOVE = `select citus_move_shard_placement(
  get_shard_id_for_distribution_column('marketplaces', $1::text), $2, $3, $4, $5, 'force_logical')`;

const move = async (pool: pg.Pool, of: { marketplaceId: string; from: Node; to: Node }): Promise<void> => {
  const { marketplaceId, from, to } = of;
  const places = [from, to].flatMap(({ connection }) => [connection.host, connection.port]);
  await pool.query(MOVE, [marketplaceId, ...places]);
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const cluster = await openCluster(stage);
  const { shops, nodes, pool, workerOf } = cluster;
  const shop = shops[0]!;
  const { marketplaceId } = shop;
  for (let round = 1; round <= 2; round++) {
    await forSeconds(seconds);
    const source = await workerOf(marketplaceId);
    const target = nodes.workers.find((node) => node !== source)!;
    stage.say(`${marketplaceId} is moved from ${source.name} to ${target.name}`);
    const from = performance.now();
    await move(pool, { marketplaceId, from: source, to: target });
    const window = { from, to: performance.now() };
    // Answers that came late are judged too.
    await shopsProgress(shops, CREDITS_MIN);
    const moved = seenBetween([shop], window);
    const others = seenBetween(
      shops.filter((each) => each !== shop),
      window,
    );
    stage.found(`the marketplace is written to while it moves to ${target.name}`, {
      holds: (await workerOf(marketplaceId)) === target && moved.acknowledged > 0,
      detail: `${Math.round(window.to - window.from)} ms, ${moved.acknowledged} acknowledged, ${moved.orders} orders, ${moved.codes}; ${moved.times}`,
    });
    stage.found('the other marketplaces go on', {
      holds: others.acknowledged > 0 && others.refused === 0,
      detail: `${others.acknowledged} acknowledged, ${others.orders} orders, ${others.codes}; ${others.times}`,
    });
  }
  await proveShops(stage, cluster);
};

export const moveMarketplace: Drill = {
  name: 'move',
  about: 'a marketplace is moved between workers of a distributed database while it is written to (needs Citus)',
  seconds: 2,
  play,
};
