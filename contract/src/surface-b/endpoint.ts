// One route of Surface B as data: the server binds a handler to it and its API reference is printed from it. Paths are relative to
// the root.

import type { TSchema } from 'typebox';
import type { RefusalName } from './refusals.ts';

/** `open` needs no token; `bearer` needs one; `optional` accepts no token, but a token that is sent must be valid. */
type SurfaceBAccess = 'open' | 'bearer' | 'optional';

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
  /** The schema of the envelope's `data`. */
  readonly data: Data;
  /** The message of a successful answer. */
  readonly message: string;
  /** Refusals besides those of every route. */
  readonly refusals: readonly RefusalName[];
};

export const surfaceBEndpoint = <
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Data extends TSchema = TSchema,
>(
  row: SurfaceBEndpoint<Query, Body, Data>,
): SurfaceBEndpoint<Query, Body, Data> => row;
