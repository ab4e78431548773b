// Parses bodies. A body that cannot be parsed becomes a value with the reason, so that it is refused like any other invalid body. Keys
// that would reach a prototype and text that the database cannot store are refused.

import type { FastifyInstance } from 'fastify';

export class Unreadable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Only with such an escape in the raw text can a string contain a null character or half of a surrogate pair. */
const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/i;
/** The second key is dangerous only together with `prototype`; an escape could hide either. */
const SUSPECT_KEY = /__proto__|constructor|\\u/;

/** More than any body of the API needs. A body of the largest size could have 80,000 values, and every check walks through all of them. */
const VALUES_MAX = 10_000;
const DEPTH_MAX = 100;
/** A level has two brackets and a value at least one character, so a shorter text is below both limits. */
const SURELY_SMALL_LENGTH = 2 * DEPTH_MAX;

/** For routes with a body: JSON and nothing else. */
export const readJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    done(null, parseJson(text as string));
  });
};

/** For webhook receivers: JSON with any content type, and the unchanged bytes for the signature. */
export const keepBytes = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    request.rawBody = bytes as Buffer;
    done(null, parseJson(request.rawBody.toString()));
  });
};

/** For routes without a body: a body is read up to the limit and dropped. */
export const ignoreBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, undefined));
};

/** Undefined: there was no body. */
const parseJson = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Unreadable('The body is not valid JSON.');
  }
  if (value === null) return new Unreadable('The body must be an object.');
  const oversize = text.length > SURELY_SMALL_LENGTH ? oversizeOf(value) : null;
  if (oversize !== null) return new Unreadable(oversize);
  if (SUSPECT_KEY.test(text) && someValue(value, hasPoison))
    return new Unreadable('The body has a key that is not allowed.');
  if (SUSPECT_ESCAPE.test(text) && someValue(value, isUnstorable)) {
    return new Unreadable('The body contains a text with a null character or half of a surrogate pair.');
  }
  return value;
};

/** Ends at the limit, so the walk itself is short. */
const oversizeOf = (body: unknown): string | null => {
  let level: unknown[] = [body];
  let values = 1;
  for (let depth = 1; level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (depth > DEPTH_MAX) return `The body has more than ${DEPTH_MAX} levels of lists and objects.`;
      for (const inner of Object.values(value)) {
        values += 1;
        if (values > VALUES_MAX) return `The body has more than ${VALUES_MAX} values.`;
        below.push(inner);
      }
    }
    level = below;
  }
  return null;
};

const hasPoison = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  const maker: unknown = Object.hasOwn(value, 'constructor') ? value.constructor : null;
  return typeof maker === 'object' && maker !== null && Object.hasOwn(maker, 'prototype');
};

const isUnstorable = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).some(isUnstorable);
};

// Uses its own stack, because the caller chooses how deep a body is nested.
const someValue = (root: unknown, matches: (value: unknown) => boolean): boolean => {
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (matches(value)) return true;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
  return false;
};
