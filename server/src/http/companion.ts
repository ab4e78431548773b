// Another surface beside the API, on the same server: it has its own paths, its own callers and its own envelope, and passes
// the same hooks.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '../base/domain-error.ts';
import type { Authenticator } from './caller.ts';

export type OtherDocument = {
  readonly title: string;
  readonly paths: readonly [string, ...string[]];
  print(): string;
};

export type Beside = {
  /** By the path alone, so that it answers also what no route takes. */
  owns(url: string): boolean;
  readonly authenticate: Authenticator;
  /** The refusal of a path that has no route. */
  missing(request: FastifyRequest): DomainError;
  /** Sends a refusal in its own envelope. */
  refuse(reply: FastifyReply, fault: DomainError): void;
  mount(app: FastifyInstance): Promise<void>;
  /** For the reference page. */
  readonly document: OtherDocument;
};
