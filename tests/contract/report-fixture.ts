// Refusals that every read for operators has in common, and a walk through the pages of a list.

import assert from 'node:assert/strict';
import { codeOf, type TestApp } from '../support/app.ts';

/** Keys without the scope get 403, and a request without a key gets 401. */
export const assertScope = async (app: TestApp, request: string, scope: 'read' | 'support'): Promise<void> => {
  const others = ['read', 'write', 'support'].filter((one) => one !== scope);
  for (const other of others) {
    const refused = await app.call(request, { key: await app.key([other]) });
    assert.equal(codeOf(refused), '403 INSUFFICIENT_SCOPE', `${other}: ${request}`);
  }
  assert.equal(codeOf(await app.call(request, { key: null })), '401 UNAUTHORIZED', request);
};

export const assertInvalid = async (app: TestApp, requests: readonly string[]): Promise<void> => {
  for (const request of requests) assert.equal(codeOf(await app.call(request)), '400 VALIDATION_ERROR', request);
};

/** All items of a list, page by page. */
// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
export const walk = async (app: TestApp, path: string, ask: { key?: string; limit: number }): Promise<any[]> => {
  const items = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const query = `${path}${path.includes('?') ? '&' : '?'}limit=${ask.limit}${next}`;
    const answer = await app.call(`GET ${query}`, ask.key === undefined ? {} : { key: ask.key });
    assert.equal(answer.status, 200, answer.text);
    const { data, hasMore, nextCursor } = answer.body.data;
    assert.equal(hasMore, nextCursor !== null);
    assert.ok(data.length <= ask.limit);
    items.push(...data);
    cursor = nextCursor;
  } while (cursor !== null);
  return items;
};
