// How a route of Surface B is written: one line that binds an endpoint row to its handler, and the amounts and pages of its replies. The
// token and the schema are checked before the handler runs.

import { LIMITS } from '@holdfast/contract/limits.ts';
import type { SurfaceBEndpoint } from '@holdfast/contract/surface-b/endpoint.ts';
import type { Static, TSchema } from 'typebox';
import { type Amount, formatAmount, parseAmount } from '../../../books/money.ts';
import type { Context } from '../../../commit/command.ts';

type Maybe = TSchema | undefined;
type Shape<S extends Maybe> = S extends TSchema ? Static<S> : Readonly<Record<never, never>>;

export type RequestB<Query extends Maybe = undefined, Body extends Maybe = undefined> = {
  readonly query: Shape<Query>;
  readonly body: Shape<Body>;
  /** The user of the token; null: none was sent. */
  readonly userId: string | null;
  /** The caller's rate-limit bucket, for limits by address. */
  readonly address: string;
  readonly context: Context;
};

type Answer<A, D extends TSchema> = (request: A) => Promise<Static<D>>;

// The precise types end here: a list holds routes of all kinds, and the schemas have checked the input.
export type SurfaceBRoute = { readonly endpoint: SurfaceBEndpoint; answer(request: RequestB): Promise<unknown> };

export const route = <Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: SurfaceBEndpoint<Q, B, D>,
  answer: Answer<RequestB<Q, B>, D>,
): SurfaceBRoute => ({ endpoint, answer: answer as (request: RequestB) => Promise<unknown> });

/** For routes that need a token. */
export const personal = <Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: SurfaceBEndpoint<Q, B, D>,
  answer: Answer<RequestB<Q, B> & { readonly userId: string }, D>,
): SurfaceBRoute => {
  if (endpoint.access !== 'bearer') throw new Error(`${endpoint.method} ${endpoint.path} does not need a token`);
  return route(endpoint, (request) => {
    if (request.userId === null) throw new Error('a request without a token passed the admission');
    return answer({ ...request, userId: request.userId });
  });
};

// Amounts are JSON numbers on Surface B. A number is only converted to its shortest decimal text, or made from one; no arithmetic is done
// with it.

/** Null when the number is not positive, has more than two places, or is too large. */
export const readNumber = (value: number): Amount | null => parseAmount(String(value));

/** For a number that the check of the request has accepted. */
export const amountOf = (value: number): Amount => {
  const amount = readNumber(value);
  if (amount === null) throw new Error('an amount passed the check of its request although it is not valid');
  return amount;
};

/** Two places; further places are cut off. */
export const showNumber = (amount: Amount): number => Number(formatAmount(amount));

type PageRequest = { readonly page?: number; readonly limit?: number };

export const pageOf = ({ page = 1, limit = LIMITS.pageSizeDefault }: PageRequest) => ({
  page,
  limit,
  offset: (page - 1) * limit,
});

export const pagination = ({ page, limit }: { page: number; limit: number }, total: number) => ({
  page,
  limit,
  total,
  pages: Math.ceil(total / limit),
});
