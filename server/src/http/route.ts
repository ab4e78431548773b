// How a route is written: one line that binds an endpoint row to what answers it. Checks of key, scope, rate and schema
// come with the row, so a route never repeats them, and it never sees a request that failed one.

import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { Static, TSchema } from 'typebox';
import type { Command, Context } from '../commit/command.ts';
import type { Caller } from './caller.ts';

type Maybe = TSchema | undefined;
type Shape<S extends Maybe> = S extends TSchema ? Static<S> : Readonly<Record<never, never>>;

/** What a handler is given. A part the endpoint declares no schema for is empty. */
export type RouteRequest<
  Params extends Maybe = undefined,
  Query extends Maybe = undefined,
  Body extends Maybe = undefined,
> = {
  readonly params: Shape<Params>;
  readonly query: Shape<Query>;
  readonly body: Shape<Body>;
  readonly caller: Caller;
  readonly requestId: string;
  /** Stands for the caller's Idempotency-Key; null when none was sent. */
  readonly requestKey: string | null;
  readonly context: Context;
};

export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** The bare connection, for an answer that does not fit an envelope. */
export type Wire = {
  readonly request: IncomingMessage;
  /** Sends the head with the door's own headers; from then on the handler owns the response and must end it. */
  open(status: number, headers: OutgoingHttpHeaders): ServerResponse;
};

/** What an outside system sent, just as it came: the bytes are what it signed. */
export type Delivery = { readonly headers: IncomingHttpHeaders; readonly rawBody: Buffer };

export type ReceiveParts<A, Data> = {
  /** Runs before anything of the body is looked at; a DomainError thrown here is the answer. */
  check(delivery: Delivery): void;
  answer(routeRequest: A, delivery: Delivery): Promise<Data>;
};

export type WriteParts<A, Data, Input, Reply> = {
  readonly command: Command<Input, Reply>;
  /** May take its time (hashing); a DomainError thrown here is the answer. */
  input(routeRequest: A): Input | Promise<Input>;
  present(reply: Reply, routeRequest: A & { readonly input: Input }): Data;
  /** Only when the command acts in another marketplace than the caller's own; never for other keys than the master key. */
  context?(routeRequest: A): Context;
  /** Only when it is not always the endpoint's own. */
  status?(reply: Reply, routeRequest: A & { readonly input: Input }): 200 | 201;
};

// The precise types end here: a list of routes holds all kinds, and the schemas have vouched for what comes in.
export type AnyRouteRequest = RouteRequest & { input?: unknown };
export type AnyWrite = {
  readonly command: Command<unknown, unknown>;
  input(routeRequest: AnyRouteRequest): unknown;
  present(reply: unknown, routeRequest: AnyRouteRequest): unknown;
  context?(routeRequest: AnyRouteRequest): Context;
  status?(reply: unknown, routeRequest: AnyRouteRequest): 200 | 201;
};

export type Route = {
  readonly endpoint: Endpoint;
  /** Only when it does not simply take place in the caller's marketplace, as the caller. */
  place?(routeRequest: AnyRouteRequest): AnyRouteRequest | Promise<AnyRouteRequest>;
} & (
  | { readonly kind: 'read'; answer(routeRequest: AnyRouteRequest): unknown }
  | { readonly kind: 'act'; answer(routeRequest: AnyRouteRequest): unknown }
  | { readonly kind: 'list'; answer(routeRequest: AnyRouteRequest): Page<unknown> | Promise<Page<unknown>> }
  | { readonly kind: 'write'; readonly parts: AnyWrite }
  | { readonly kind: 'raw'; answer(routeRequest: AnyRouteRequest, wire: Wire): void | Promise<void> }
  | { readonly kind: 'receive'; readonly parts: ReceiveParts<AnyRouteRequest, unknown> }
);

const expectWrapping = (endpoint: Endpoint, allowed: readonly Endpoint['wrapping'][]): void => {
  if (allowed.includes(endpoint.wrapping)) return;
  throw new Error(
    `${endpoint.method} ${endpoint.path} is wrapped as ${endpoint.wrapping}, not ${allowed.join(' or ')}`,
  );
};

/** Answers from what is stored. */
export const read = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  answer: (routeRequest: RouteRequest<P, Q, B>) => Static<D> | Promise<Static<D>>,
): Route => {
  expectWrapping(endpoint, ['plain', 'success']);
  return { endpoint, kind: 'read', answer: answer as (routeRequest: AnyRouteRequest) => unknown };
};

/**
 * Carries something out that is more than one command, then answers from what is stored; honours Idempotency-Key where
 * the endpoint says so.
 */
export const act = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  answer: (routeRequest: RouteRequest<P, Q, B>) => Promise<Static<D>>,
): Route => {
  expectWrapping(endpoint, ['plain', 'success']);
  if (endpoint.secretAnswer) throw new Error(`${endpoint.method} ${endpoint.path} would keep a secret unsealed`);
  return { endpoint, kind: 'act', answer: answer as (routeRequest: AnyRouteRequest) => unknown };
};

/** Answers one page. */
export const list = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  answer: (routeRequest: RouteRequest<P, Q, B>) => Page<Static<D>> | Promise<Page<Static<D>>>,
): Route => {
  expectWrapping(endpoint, ['list']);
  return { endpoint, kind: 'list', answer: answer as (routeRequest: AnyRouteRequest) => Page<unknown> };
};

/** Submits one command and presents its reply; honours Idempotency-Key where the endpoint says so. */
export const write = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema, Input, Reply>(
  endpoint: Endpoint<P, Q, B, D>,
  parts: WriteParts<RouteRequest<P, Q, B>, Static<D>, Input, Reply>,
): Route => {
  expectWrapping(endpoint, ['plain', 'success']);
  return { endpoint, kind: 'write', parts: parts as unknown as AnyWrite };
};

/** Writes its own answer: a stream, a redirect, a page. */
export const raw = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  answer: (routeRequest: RouteRequest<P, Q, B>, wire: Wire) => void | Promise<void>,
): Route => {
  expectWrapping(endpoint, ['raw']);
  return { endpoint, kind: 'raw', answer: answer as (routeRequest: AnyRouteRequest, wire: Wire) => void };
};

/** Takes what an outside system tells, by its own signature instead of a key; answers JSON without an envelope. */
export const receive = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  parts: ReceiveParts<RouteRequest<P, Q, B>, Static<D>>,
): Route => {
  expectWrapping(endpoint, ['raw']);
  return { endpoint, kind: 'receive', parts: parts as unknown as ReceiveParts<AnyRouteRequest, unknown> };
};
