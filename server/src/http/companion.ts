// A second surface on the same server: it has its own paths, its own callers and its own envelope, and passes the same hooks.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { DomainError } from '../base/domain-error.ts';
import type { Authenticator } from './caller.ts';

export type OtherDocument = {
  readonly title: string;
  readonly paths: readonly [string, ...string[]];
  print(): string;
};

export type CompanionSurface = {
  /** Decided by the path alone, so that the surface also answers paths without a route. */
  owns(url: string): boolean;
  readonly authenticate: Authenticator;
  /** For the routes that are close to a path without one. */
  readonly endpoints: readonly Pick<Endpoint, 'method' | 'path'>[];
  /** The refusal of a path that has no route. */
  missing(request: { readonly method: string; readonly url: string }): DomainError;
  /** Sends a refusal in the surface's own envelope. */
  refuse(reply: FastifyReply, error: DomainError): void;
  mount(app: FastifyInstance): Promise<void>;
  /** For the reference page. */
  readonly document: OtherDocument;
};
