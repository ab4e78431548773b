// Where each marketplace of a distributed database lives: the shard that its id belongs to, and the node that has the shard.

import type pg from 'pg';

type MarketplacePlace = { readonly id: string; readonly shard: string; readonly node: string };

const MARKETPLACES = 'select marketplace_id as id from marketplaces order by marketplace_id';

// The catalogue is on the coordinator, so it is read without a distributed table in the same statement.
const PLACES = `select id, s.shardid::text as shard, n.nodename as node from unnest($1::text[]) id
  join pg_dist_shard s on s.shardid = get_shard_id_for_distribution_column('marketplaces', id)
  join pg_dist_placement p on p.shardid = s.shardid
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
  order by id`;

/** `nameOf` turns the address of a node into its name. */
export const readPlaces = async (
  client: Pick<pg.Client, 'query'>,
  nameOf: (address: string) => string,
): Promise<MarketplacePlace[]> => {
  const { rows: marketplaces } = await client.query<{ id: string }>(MARKETPLACES);
  const { rows } = await client.query<MarketplacePlace>(PLACES, [marketplaces.map(({ id }) => id)]);
  return rows.map((place) => ({ ...place, node: nameOf(place.node) }));
};

const HEAD: MarketplacePlace = { id: 'marketplace', node: 'node', shard: 'shard' };

/** A line for each marketplace, below a heading. */
export const placeLines = (places: readonly MarketplacePlace[]): string[] => {
  const rows = [HEAD, ...places];
  const widthOf = (column: keyof MarketplacePlace): number => Math.max(...rows.map((row) => row[column].length));
  const widths = { id: widthOf('id'), node: widthOf('node') };
  return rows.map(({ id, node, shard }) => `  ${id.padEnd(widths.id)}  ${node.padEnd(widths.node)}  ${shard}`);
};
