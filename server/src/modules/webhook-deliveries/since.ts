// Where a replay begins: a time, or the id of an event.

import { idPattern } from '@holdfast/contract/ids.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { msOfId } from '../../base/ulid.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { DeliveryReads } from './queries.ts';

const EVENT_ID = new RegExp(idPattern('event'));

/** The time in the id of an event is that of the event, unless its server had just set its clock back. */
const NEAR_MS = 60_000;
const FAR_MS = 86_400_000;

type Reads = Pick<DeliveryReads, 'positionOf' | 'positionBefore' | 'oldestPosition'>;

/** The time, when `since` is one; null otherwise. Years that cannot be stored are refused. */
const timeOf = (since: string): string | null => {
  const micros = parseInstant(since);
  if (micros === null) return null;
  if (!Number.isSafeInteger(micros) || micros < 0) throw validationError(['since must be a time after 1970']);
  return formatInstant(micros);
};

const instantAt = (ms: number): string => formatInstant(Math.max(ms, 0) * 1_000);

const findEvent = async (reads: Reads, { marketplaceId, eventId }: { marketplaceId: string; eventId: string }) => {
  const ms = msOfId(eventId);
  for (const range of [NEAR_MS, FAR_MS]) {
    const found = await reads.positionOf({
      marketplaceId,
      eventId,
      from: instantAt(ms - range),
      to: instantAt(ms + range),
    });
    if (found !== null) return found;
  }
  throw validationError(['since names an event that is not on the stream: check the id, or send a time']);
};

/** Events after this position are meant. */
export const positionSince = async (
  reads: Reads,
  { marketplaceId, since }: { marketplaceId: string; since: string },
): Promise<number> => {
  if (EVENT_ID.test(since)) return findEvent(reads, { marketplaceId, eventId: since });
  const at = timeOf(since);
  if (at === null) throw validationError(['since must be a time such as 2026-11-15T09:30:00Z, or the id of an event']);
  const before = await reads.positionBefore(marketplaceId, at);
  if (before !== null) return before;
  return ((await reads.oldestPosition(marketplaceId)) ?? 1) - 1;
};

/** For deliveries, which have the time of their event: a time, or that of the event. */
export const timeSince = (since: string): string => {
  const at = EVENT_ID.test(since) ? instantAt(msOfId(since)) : timeOf(since);
  if (at === null) throw validationError(['since must be a time such as 2026-11-15T09:30:00Z, or the id of an event']);
  return at;
};
