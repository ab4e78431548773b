// Whether the events are complete: positions without a gap and times that only grow, in the table at every moment, and at the
// end the very same, each once, at both readers of the stream.

import type { Environment } from '../environment.ts';
import type { Heard } from '../listeners.ts';
import type { Check } from './checks.ts';

const GAPS = `select marketplace_id, position::text from (
    select marketplace_id, position, occurred_at,
      lag(position, 1, 0::bigint) over w as before, lag(occurred_at) over w as earlier
    from events window w as (partition by marketplace_id order by position)) e
  where position <> before + 1 or occurred_at <= earlier`;

const HEADS = `select m.marketplace_id, m.event_position::text, coalesce(max(e.position), 0)::text as last
  from marketplaces m left join events e using (marketplace_id)
  group by m.marketplace_id, m.event_position having m.event_position <> coalesce(max(e.position), 0)`;

const MISTOLD = `select marketplace_id, position::text from events
  where (envelope::jsonb -> 'metadata' ->> 'position')::bigint <> position
    or envelope::jsonb ->> 'eventType' <> event_type or envelope::jsonb ->> 'aggregateId' <> aggregate_id`;

export const checkPositions: Check = async ({ environment }) => {
  const rows = {
    gap: await environment.sql(GAPS),
    head: await environment.sql(HEADS),
    mistold: await environment.sql(MISTOLD),
  };
  return Object.entries(rows).flatMap(([name, found]) => found.map((row) => `${name}: ${JSON.stringify(row)}`));
};

/** A stream without a filter carries no alerts. */
const STREAMED = `aggregate_type <> 'System'`;

export const lastPositions = async ({ sql }: Environment): Promise<Map<string, number>> => {
  const rows = await sql(
    `select marketplace_id as id, max(position)::int as last from events where ${STREAMED} group by 1`,
  );
  return new Map(rows.map(({ id, last }) => [id, last]));
};

/** The first difference is enough. */
const missedBy = ({ name, events }: Heard, written: readonly string[]): string[] => {
  const heard = events.map(({ metadata, eventId }) => `${metadata.position} ${eventId}`);
  const at = written.findIndex((one, place) => heard[place] !== one);
  if (at >= 0) return [`${name} heard ${heard[at] ?? 'nothing'} where ${written[at]} was written`];
  return heard.length > written.length ? [`${name} heard ${heard.length} of ${written.length} events`] : [];
};

export const checkStream: Check = async ({ environment, listeners }) => {
  const found = listeners.troubles.map((error) => `a reader failed: ${error}`);
  for (const { marketplaceId } of environment.places) {
    const rows = await environment.sql(
      `select position::text || ' ' || (envelope::jsonb ->> 'eventId') as told from events
        where marketplace_id = $1 and ${STREAMED} order by position`,
      [marketplaceId],
    );
    const written = rows.map(({ told }) => told);
    const readers = listeners.heard.filter((one) => one.marketplaceId === marketplaceId);
    found.push(...readers.flatMap((reader) => missedBy(reader, written)));
  }
  return found;
};
