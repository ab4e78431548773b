// One route as data: the server binds a handler to it, the API reference and the types of the SDK are printed from it. Paths are
// relative to `/api/v1` and use `:name` for parameters.

import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { MoneyScope, Scope } from '../scopes.ts';

/**
 * `public` needs no key; `any` needs a valid key and no scope; `*` needs that scope; `master` needs the master key; `admin` needs the
 * master key or an operator with the role admin, and no API key suffices.
 */
export type Access = Exclude<Scope, MoneyScope> | 'public' | 'any' | 'admin' | 'master';

/**
 * How the answer is wrapped.
 * `plain`: `{ data, meta }`. `success`: `{ data: { success, data }, meta }`.
 * `list`: `{ data: { success, data: [...], hasMore, nextCursor }, meta }`. `raw`: the handler writes the answer itself.
 */
export type Wrapping = 'plain' | 'success' | 'list' | 'raw';

export type Endpoint<
  Params extends TSchema | undefined = TSchema | undefined,
  Query extends TSchema | undefined = TSchema | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Data extends TSchema = TSchema,
> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: Access;
  /** The scope that suffices for this route. `write` suffices only where it contains this scope. */
  readonly moneyScope?: MoneyScope;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  /** Absent: the route has no parameters, and any parameter is refused. */
  readonly query?: Query;
  /** An outside system adds parameters of its own to the URL. They are ignored. */
  readonly ignoresQuery?: boolean;
  /** Absent: the route reads no body, and any body is ignored, malformed JSON too. */
  readonly body?: Body;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  readonly status: 200 | 201 | 202;
  /** Another success status of this route, with the same data. */
  readonly otherStatus?: 200;
  readonly wrapping: Wrapping;
  /** The schema of the data inside the envelope; for a list, of one item. */
  readonly data: Data;
  /** Error codes besides those of every route (validation, key, scope, rate, 404, 500). */
  readonly errors: readonly ErrorCode[];
  /** Error codes whose status on this route differs from the table of errors, as the spec says. */
  readonly errorStatus?: Readonly<Partial<Record<ErrorCode, number>>>;
  /** The read may take long, so a marketplace may send only a few at once. */
  readonly heavy?: true;
  /** The answer is also given as CSV: with `format=csv`, or for `Accept: text/csv`. */
  readonly asCsv?: true;
  /** Older items of the list may be in archives. */
  readonly archived?: true;
  /** Whether the route honours the Idempotency-Key header. */
  readonly idempotent?: boolean;
  /** The answer carries a secret: a stored replay is sealed with the caller's own Idempotency-Key. */
  readonly secretAnswer?: boolean;
};

export const endpoint = <
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Data extends TSchema = TSchema,
>(
  row: Endpoint<Params, Query, Body, Data>,
): Endpoint<Params, Query, Body, Data> => row;
