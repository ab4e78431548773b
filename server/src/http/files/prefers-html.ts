// Whether a request comes from a browser that opens a page, or from a program.

import type { FastifyRequest } from 'fastify';

/** Programs ask for JSON or for anything; only browsers name HTML. */
export const prefersHtml = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /(^|,)\s*text\/html\s*(;|,|$)/i.test(headers.accept ?? '');
