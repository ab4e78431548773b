// What one route of Surface B is, as data: the server binds a handler to it and its API reference is printed from it.
// Paths are relative to the root.

import type { TSchema } from 'typebox';
import type { RefusalName } from './refusals.ts';

/** `open` needs no token; `bearer` needs one; `optional` needs none, but one that is sent must be good. */
export type SurfaceBAccess = 'open' | 'bearer' | 'optional';

export type SurfaceBEndpoint<
  Query extends TSchema | undefined = TSchema | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Data extends TSchema = TSchema,
> = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: SurfaceBAccess;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Query;
  readonly body?: Body;
  /** Of the envelope's `data`. */
  readonly data: Data;
  /** Of the envelope, when all went well. */
  readonly message: string;
  /** Besides those that every route can answer. */
  readonly refusals: readonly RefusalName[];
};

export const surfaceBEndpoint = <
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Data extends TSchema = TSchema,
>(
  row: SurfaceBEndpoint<Query, Body, Data>,
): SurfaceBEndpoint<Query, Body, Data> => row;
