// Lookups of names: one without an answer delays no other request, and the reason of a failure says whose fault it is. And what is checked
// again when a request is made.

import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { type TestContext, test } from 'node:test';
import { createPost } from '../../server/src/outgoing/post.ts';
import { checkedLookup, type Resolve } from '../../server/src/outgoing/target.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { startReceiver } from './receiver.ts';

const MESSAGE = { owner: 'mkt_shop', headers: {}, body: '{}', signal: new AbortController().signal };
const HERE: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];

const openPost = (t: TestContext, options: { resolve: Resolve; timeoutMs?: number; allowsPrivate?: boolean }) => {
  const { post, close } = createPost({ allowsPrivate: true, timeoutMs: 20_000, atOnce: 100, ...options });
  afterwards(t, close);
  return post;
};

test('names that are never resolved delay no other delivery, are asked for once at a time, and end with the time limit', async (t) => {
  const receiver = await startReceiver(t);
  const { port } = new URL(receiver.url);
  const asked: string[] = [];
  const resolve: Resolve = (host) => {
    asked.push(host);
    return host === 'silent.example' ? new Promise(() => {}) : Promise.resolve(HERE);
  };
  const post = openPost(t, { resolve, timeoutMs: 1_500 });
  const silent = Array.from({ length: 30 }, () => post({ ...MESSAGE, url: 'http://silent.example/' }));
  const first = await Promise.race([...silent, post({ ...MESSAGE, url: `http://shop.example:${port}/` })]);
  assert.deepEqual([first.status, first.error], [200, null]);
  for (const { error } of await Promise.all(silent)) assert.equal(error, 'There was no answer within 1.5 seconds.');
  assert.deepEqual(asked.sort(), ['shop.example', 'silent.example']);
});

const FAILURES = [
  { code: 'ECONNREFUSED', syscall: 'queryA', says: 'The name of the receiver could not be resolved: ECONNREFUSED.' },
  { code: 'ETIMEOUT', syscall: 'queryA', says: 'The name of the receiver could not be resolved: ETIMEOUT.' },
  { code: 'EAI_AGAIN', syscall: 'getaddrinfo', says: 'The name of the receiver could not be resolved: EAI_AGAIN.' },
  { code: 'ENOTFOUND', syscall: 'queryA', says: 'The name of the receiver does not exist.' },
  { code: 'ENODATA', syscall: 'queryA', says: 'The name of the receiver has no address.' },
  { code: 'CERT_HAS_EXPIRED', syscall: undefined, says: 'The certificate of the receiver has expired.' },
];

test('a failure of the name servers is not called one of the receiver', async (t) => {
  for (const { says, ...failure } of FAILURES) {
    const post = openPost(t, { resolve: () => Promise.reject(Object.assign(new Error('failed'), failure)) });
    assert.equal((await post({ ...MESSAGE, url: 'http://shop.example/' })).error, says);
  }
});

test('plain http that was stored while it was allowed is refused when a request is made', async (t) => {
  const receiver = await startReceiver(t);
  const post = openPost(t, { resolve: async () => HERE, allowsPrivate: false });
  const { error } = await post({ ...MESSAGE, url: 'http://shop.example/' });
  assert.equal(error, 'The address was refused: it does not begin with https://.');
  assert.equal(receiver.received.length, 0);
});

test('a network without IPv4 reaches public addresses through NAT64, and no private ones', async () => {
  const lookup = (address: string) => {
    const check = checkedLookup({ allowsPrivate: false }, async () => [{ address, family: 6 }]);
    return new Promise<string>((resolve) =>
      check('shop.example', { all: false }, (error, found) => resolve(error ? 'refused' : String(found))),
    );
  };
  assert.equal(await lookup('64:ff9b::5db8:d822'), '64:ff9b::5db8:d822');
  for (const refused of [
    '64:ff9b::a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::',
    '64:ff9b:1::5db8:d822',
  ])
    assert.equal(await lookup(refused), 'refused', refused);
});
