// A route binds an endpoint row to its handler. The checks of key, scope, rate and schema come from the row, so a route never repeats
// them and never sees a request that failed one.

import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Command, Context } from '../commit/command.ts';
import type { Preview, PreviewCall } from '../commit/preview/preview.ts';
import type { AnyApprovalTerms, ApprovalTerms } from './approval-terms.ts';
import type { Caller } from './caller.ts';
import type { CsvTable } from './csv-answer.ts';

type Maybe = TSchema | undefined;
type Shape<S extends Maybe> = S extends TSchema ? Static<S> : Readonly<Record<never, never>>;

/** The request as a handler gets it. A part without a schema in the endpoint is empty. */
type RouteRequest<Params extends Maybe = undefined, Query extends Maybe = undefined, Body extends Maybe = undefined> = {
  readonly params: Shape<Params>;
  readonly query: Shape<Query>;
  readonly body: Shape<Body>;
  readonly caller: Caller;
  readonly requestId: string;
  /** Derived from the caller's Idempotency-Key; null when there was none. */
  readonly requestKey: string | null;
  readonly context: Context;
  /** Aborted when the client has left. Only on heavy routes, and on those that write their own response. */
  readonly left?: AbortSignal;
  /** What the request kept for its approval; only when it is carried out after one. */
  readonly kept?: unknown;
};

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  /** Archived months in which the list continues. */
  readonly archives?: readonly string[];
};

/** The raw connection, for a response without an envelope. */
export type Wire = {
  readonly request: IncomingMessage;
  /** Sends the headers, including those of the hooks. From then on the handler owns the response and must end it. */
  open(status: number, headers: OutgoingHttpHeaders): ServerResponse;
  /** The caller's rate-limit bucket, for limits by address. */
  readonly address: string;
  /** Scheme, host and port that the client used. */
  readonly origin: string;
  /** Of the cookie; null when the request has none, or shows a key. */
  readonly sessionToken: string | null;
  /** The cookie that connects two requests of one sign-in. */
  readonly attempt: string | null;
  /** Whether the browser says that the request comes from a page of this origin, or of this other one. */
  isSameOrigin(other: string | null): boolean;
};

/** A webhook delivery with its unchanged bytes, because the sender signed the bytes. */
export type Delivery = { readonly headers: IncomingHttpHeaders; readonly rawBody: Buffer };

type ReceiveParts<A, Data> = {
  /** Runs before the body is validated. A DomainError thrown here becomes the response. */
  check(delivery: Delivery): void | Promise<void>;
  answer(routeRequest: A, delivery: Delivery): Promise<Data>;
};

type WriteParts<A, Data, Input, Reply> = {
  readonly command: Command<Input, Reply>;
  /** May be slow (hashing). A DomainError thrown here becomes the response. */
  input(routeRequest: A): Input | Promise<Input>;
  present(reply: Reply, routeRequest: A & { readonly input: Input }): Data;
  /** Only when the command acts in another marketplace than the caller's. Only for the master key. */
  context?(routeRequest: A): Context;
  /** Only when the status is not always that of the endpoint. */
  status?(reply: Reply, routeRequest: A & { readonly input: Input }): 200 | 201;
  /** Only when the input is made with outside calls, or the request leads to some. */
  readonly preview?: {
    /** The same input without an outside call, as if each call had succeeded. */
    input?(routeRequest: A): Input | Promise<Input>;
    /** Runs the commands that the request submits before its own. */
    before?(routeRequest: A & { readonly input: Input }, preview: Preview): Promise<unknown>;
    calls?(reply: Reply, routeRequest: A & { readonly input: Input }): readonly PreviewCall[];
    /** Carries what the request begins, and does not wait for, to its end. */
    finish?(preview: Preview, reply: Reply): Promise<Reply>;
  };
  /** Only when rules of the marketplace can make the request wait for another actor. */
  readonly approval?: ApprovalTerms<A, Data>;
};

type ActParts<A, Data> = {
  answer(routeRequest: A): Promise<Data>;
  /** Runs the commands of the request in a row, as if each outside call between them had succeeded. */
  preview(routeRequest: A, preview: Preview): Promise<Data>;
  /** Only when rules of the marketplace can make the request wait for another actor. */
  readonly approval?: ApprovalTerms<A, Data> & Required<Pick<ApprovalTerms<A, Data>, 'current'>>;
};

// The precise types end here, because a list of routes has all kinds. The schemas have checked the values.
export type AnyRouteRequest = RouteRequest & { input?: unknown };
export type AnyWrite = {
  readonly command: Command<unknown, unknown>;
  input(routeRequest: AnyRouteRequest): unknown;
  present(reply: unknown, routeRequest: AnyRouteRequest): unknown;
  context?(routeRequest: AnyRouteRequest): Context;
  status?(reply: unknown, routeRequest: AnyRouteRequest): 200 | 201;
  readonly preview?: {
    input?(routeRequest: AnyRouteRequest): unknown;
    before?(routeRequest: AnyRouteRequest, preview: Preview): Promise<unknown>;
    calls?(reply: unknown, routeRequest: AnyRouteRequest): readonly PreviewCall[];
    finish?(preview: Preview, reply: unknown): Promise<unknown>;
  };
};

export type Route = {
  readonly endpoint: Endpoint;
  /** Only when the route does not act in the caller's marketplace as the caller. */
  place?(routeRequest: AnyRouteRequest): AnyRouteRequest | Promise<AnyRouteRequest>;
  /** Only when answers are stored for another time than those of other routes. */
  readonly retentionHours?: number;
  /** Only when a body of the route may be larger than other bodies. */
  readonly bodyLimitBytes?: number;
  readonly approval?: AnyApprovalTerms;
} & (
  | {
      readonly kind: 'read';
      answer(routeRequest: AnyRouteRequest): unknown;
      /** Only for a report: the same data as CSV. */
      table?(data: unknown): CsvTable;
    }
  | {
      readonly kind: 'act';
      answer(routeRequest: AnyRouteRequest): unknown;
      /** Absent: the route has no preview. */
      preview?(routeRequest: AnyRouteRequest, preview: Preview): Promise<unknown>;
    }
  | { readonly kind: 'list'; answer(routeRequest: AnyRouteRequest): Page<unknown> | Promise<Page<unknown>> }
  | { readonly kind: 'write'; readonly parts: AnyWrite }
  | { readonly kind: 'raw'; answer(routeRequest: AnyRouteRequest, wire: Wire): void | Promise<void> }
  | { readonly kind: 'receive'; readonly parts: ReceiveParts<AnyRouteRequest, unknown> }
);

/** A request on its way to the handler of its route. */
export type Entered = {
  readonly routeRequest: AnyRouteRequest;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

export type Handler = (entered: Entered) => void;

const expectWrapping = (endpoint: Endpoint, allowed: readonly Endpoint['wrapping'][]): void => {
  if (allowed.includes(endpoint.wrapping)) return;
  throw new Error(
    `${endpoint.method} ${endpoint.path} is wrapped as ${endpoint.wrapping}, not ${allowed.join(' or ')}`,
  );
};

/** Answers from stored data. */
export const read = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  answer: (routeRequest: RouteRequest<P, Q, B>) => Static<D> | Promise<Static<D>>,
): Route => {
  expectWrapping(endpoint, ['plain', 'success']);
  return { endpoint, kind: 'read', answer: answer as (routeRequest: AnyRouteRequest) => unknown };
};

/** Answers from stored data, as JSON or as CSV. */
export const report = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  parts: {
    answer(routeRequest: RouteRequest<P, Q, B>): Promise<Static<D>>;
    table(data: Static<D>): CsvTable;
  },
): Route => {
  expectWrapping(endpoint, ['plain']);
  if (!endpoint.asCsv) throw new Error(`${endpoint.method} ${endpoint.path} does not say that it answers CSV`);
  return { endpoint, kind: 'read', ...parts } as unknown as Route;
};

/**
 * Runs an operation of more than one command, then answers from stored data. Supports Idempotency-Key where the endpoint says so.
 */
export const act = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  parts: ActParts<RouteRequest<P, Q, B>, Static<D>> | ActParts<RouteRequest<P, Q, B>, Static<D>>['answer'],
): Route => {
  expectWrapping(endpoint, ['plain', 'success']);
  if (endpoint.secretAnswer) throw new Error(`${endpoint.method} ${endpoint.path} would keep a secret unsealed`);
  // A route without a preview is only its answer.
  const { answer, ...more } = typeof parts === 'function' ? { answer: parts } : parts;
  return { endpoint, kind: 'act', answer, ...more } as unknown as Route;
};

/** Answers one page. */
export const list = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  answer: (routeRequest: RouteRequest<P, Q, B>) => Page<Static<D>> | Promise<Page<Static<D>>>,
): Route => {
  expectWrapping(endpoint, ['list']);
  return { endpoint, kind: 'list', answer: answer as (routeRequest: AnyRouteRequest) => Page<unknown> };
};

/** Submits one command and presents its reply. Supports Idempotency-Key where the endpoint says so. */
export const write = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema, Input, Reply>(
  endpoint: Endpoint<P, Q, B, D>,
  parts: WriteParts<RouteRequest<P, Q, B>, Static<D>, Input, Reply>,
): Route => {
  expectWrapping(endpoint, ['plain', 'success']);
  const approval = parts.approval as unknown as AnyApprovalTerms | undefined;
  return { endpoint, kind: 'write', parts: parts as unknown as AnyWrite, ...(approval ? { approval } : {}) };
};

/** Writes its own response: a stream, a redirect, a page. */
export const raw = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  answer: (routeRequest: RouteRequest<P, Q, B>, wire: Wire) => void | Promise<void>,
): Route => {
  expectWrapping(endpoint, ['raw']);
  return { endpoint, kind: 'raw', answer: answer as (routeRequest: AnyRouteRequest, wire: Wire) => void };
};

/** Receives a webhook, which is authenticated by its signature instead of a key. Answers JSON without an envelope. */
export const receive = <P extends Maybe, Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: Endpoint<P, Q, B, D>,
  parts: ReceiveParts<RouteRequest<P, Q, B>, Static<D>>,
): Route => {
  expectWrapping(endpoint, ['raw']);
  return { endpoint, kind: 'receive', parts: parts as unknown as ReceiveParts<AnyRouteRequest, unknown> };
};
