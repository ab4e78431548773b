// Wraps the data of a handler in the envelope and turns it into text. The text is made by a serialiser compiled from the endpoint's
// schema, so no field leaves the server that the schema does not name.

import type { Wrapping } from '@holdfast/contract/api/endpoint.ts';
import type { FastifyReply } from 'fastify';
import { isoNow } from '../base/instant.ts';
import type { Page } from './route.ts';

type Envelope = { readonly wrapping: Wrapping; readonly requestId: string };

export const wrap = (data: unknown, { wrapping, requestId }: Envelope): unknown => {
  const meta = { requestId, timestamp: isoNow() };
  if (wrapping === 'plain') return { data, meta };
  if (wrapping === 'success') return { data: { success: true, data }, meta };
  const { items, nextCursor, archives } = data as Page<unknown>;
  const page = { success: true, data: items, hasMore: nextCursor !== null, nextCursor };
  return { data: archives === undefined ? page : { ...page, archives }, meta };
};

export type Serialiser = (envelope: unknown) => string;

/**
 * A serialiser is compiled at the first response of its endpoint, and once for all servers of a process. Compiling all of them took
 * 75 ms of every start.
 */
export const createSerialisers = <Endpoint extends object>(
  schemaOf: (endpoint: Endpoint) => Record<string, unknown>,
) => {
  const compiled = new WeakMap<Endpoint, Serialiser>();
  return (reply: FastifyReply, endpoint: Endpoint): Serialiser => {
    const known = compiled.get(endpoint);
    if (known) return known;
    const made = reply.compileSerializationSchema(schemaOf(endpoint)) as Serialiser;
    compiled.set(endpoint, made);
    return made;
  };
};
