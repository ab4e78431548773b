// Wraps what a handler answered. The text is made by the serialiser compiled from the endpoint's schema, so nothing
// leaves that the schema does not name.

import type { Wrapping } from '@holdfast/contract/api/endpoint.ts';
import type { Page } from './route.ts';

export const wrap = (wrapping: Wrapping, data: unknown, requestId: string): unknown => {
  const meta = { requestId, timestamp: timestampNow() };
  if (wrapping === 'plain') return { data, meta };
  if (wrapping === 'success') return { data: { success: true, data }, meta };
  const { items, nextCursor } = data as Page<unknown>;
  return { data: { success: true, data: items, hasMore: nextCursor !== null, nextCursor }, meta };
};

let lastMs = 0;
let lastTimestamp = '';

// Made once per millisecond: under load many answers share one, and making it costs more than the rest of the envelope.
const timestampNow = (): string => {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastTimestamp = new Date(nowMs).toISOString();
  }
  return lastTimestamp;
};
