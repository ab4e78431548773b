// The details of errors that the table of errors does not describe: those that come only sometimes, and those that are not text.

import type { ErrorCode } from './errors.ts';

/** Details that a code carries only sometimes, with their fields, which are all text. */
export const SOMETIMES_DETAILS: {
  readonly [Code in ErrorCode]?: {
    readonly name: string;
    readonly fields: readonly string[];
    /** There are several of them. */
    readonly isList?: boolean;
    readonly when: string;
  };
} = {
  INSUFFICIENT_FUNDS: {
    name: 'float',
    fields: ['held', 'pendingPayouts', 'creditLine', 'available', 'requested', 'currency'],
    when: 'when not the balance but the float of the marketplace at the payment provider is too low',
  },
  ROUTE_NOT_FOUND: {
    name: 'didYouMean',
    fields: ['method', 'path'],
    isList: true,
    when: 'when there are routes that are close to the request, the closest first',
  },
};

/** The types of the promised details that are not text. */
export const DETAIL_KINDS: Readonly<Record<string, 'number' | 'texts' | 'textOrNull' | 'facts'>> = {
  facts: 'facts',
  validationErrors: 'texts',
  scopes: 'texts',
  allowed: 'texts',
  milestoneRefs: 'texts',
  keyIds: 'texts',
  allowedMethods: 'texts',
  allowedActions: 'texts',
  archives: 'texts',
  contentType: 'textOrNull',
  limitBytes: 'number',
  limit: 'number',
  windowSeconds: 'number',
  retryAfter: 'number',
};
