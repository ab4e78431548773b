// No request leaves for an address that is not public: also when a name resolves to one only at the moment of the connection.

import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createPost } from '../../server/src/outgoing/post.ts';
import { checkedLookup, whyRefused } from '../../server/src/outgoing/target.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { startReceiver } from './receiver.ts';

const REFUSE = { allowsPrivate: false };
const LIMITS = { timeoutMs: 2_000, atOnce: 10 };
const MESSAGE = { owner: 'mkt_shop', headers: {}, body: '{}', signal: new AbortController().signal };

const v4 = (address: string): LookupAddress => ({ address, family: 4 });
const v6 = (address: string): LookupAddress => ({ address, family: 6 });

const openPost = (t: TestContext, options: Partial<Parameters<typeof createPost>[0]>) => {
  const { post, close } = createPost({ ...REFUSE, ...LIMITS, ...options });
  afterwards(t, close);
  return post;
};

/** Counts connections and answers nothing. */
const startDoor = async (t: TestContext) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
};

test('a name whose answer changes after the endpoint was created is refused at the connection', async (t) => {
  const door = await startDoor(t);
  const answers = [[v4('93.184.216.34')], [v4('127.0.0.1')], [v4('127.0.0.1')]];
  const seen: string[] = [];
  const resolve = async (host: string): Promise<LookupAddress[]> => {
    seen.push(host);
    return answers.shift()!;
  };
  const url = `https://shop.example:${door.port}/hooks`;
  assert.equal(whyRefused(url, REFUSE), null, 'the name alone tells nothing');
  // The first answer is public. A check apart from the connection would have been content with it.
  await resolve('shop.example');
  const post = openPost(t, { resolve });
  for (let time = 0; time < 2; time++) {
    const { status, error } = await post({ ...MESSAGE, url });
    assert.equal(status, null);
    assert.match(error!, /refused: shop\.example resolves to 127\.0\.0\.1/);
  }
  assert.deepEqual(seen, ['shop.example', 'shop.example', 'shop.example'], 'each connection resolves for itself');
  assert.equal(door.connections(), 0);
});

test('one private address among public ones refuses all', async (t) => {
  const post = openPost(t, { resolve: async () => [v4('93.184.216.34'), v4('10.0.0.1')] });
  assert.match((await post({ ...MESSAGE, url: 'https://shop.example/' })).error!, /resolves to 10\.0\.0\.1/);
});

test('addresses of every kind that is not public are refused, in every form', async () => {
  const refused = [
    ...['127.0.0.1', '10.0.0.1', '172.16.5.4', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'].map(v4),
    ...['224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1', '168.63.129.16'].map(v4),
    ...['::1', '::', 'fe80::1', 'fd00::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::a00:1'].map(v6),
    ...['2002:7f00:1::', '2001::1', '2001:db8::1', '::7f00:1', 'fec0::1', '64:ff9b:1::a00:1', 'fe80::1%eth0'].map(v6),
  ];
  for (const one of refused) {
    const lookup = checkedLookup(REFUSE, async () => [one]);
    const error = await new Promise((resolve) => lookup('shop.example', { all: true }, resolve));
    assert.match(String(error), /not an address on the public internet/, one.address);
  }
  for (const one of [v4('93.184.216.34'), v6('2606:4700::1111'), v6('::ffff:93.184.216.34')]) {
    const lookup = checkedLookup(REFUSE, async () => [one]);
    const done = await new Promise((resolve) =>
      lookup('shop.example', { all: false }, (error, address) => resolve([error, address])),
    );
    assert.deepEqual(done, [null, one.address]);
  }
});

test('a literal private address is refused when a request is made, whatever was stored', async (t) => {
  const door = await startDoor(t);
  const post = openPost(t, {});
  for (const url of [`https://127.0.0.1:${door.port}/`, `http://[::ffff:127.0.0.1]:${door.port}/`, 'https://[::1]/']) {
    assert.match((await post({ ...MESSAGE, url })).error!, /not an address on the public internet/, url);
  }
  assert.equal(door.connections(), 0);
});

test('with the setting a private address is used, and failures say what happened', async (t) => {
  const receiver = await startReceiver(t);
  const post = openPost(t, { allowsPrivate: true, timeoutMs: 20_000 });
  const impatient = openPost(t, { allowsPrivate: true, timeoutMs: 300 });
  const url = receiver.url;
  assert.deepEqual(await post({ ...MESSAGE, url }).then(({ status, error }) => [status, error]), [200, null]);
  receiver.answer(null);
  assert.equal((await impatient({ ...MESSAGE, url })).error, 'There was no answer within 0.3 seconds.');
  const door = await startDoor(t);
  assert.match((await post({ ...MESSAGE, url: `http://127.0.0.1:${door.port}/` })).error!, /closed the connection/);
  assert.match(
    (await post({ ...MESSAGE, url: `https://127.0.0.1:${door.port}/` })).error!,
    /^The (request failed: |receiver closed)/,
  );
});

test('a refusal names a literal address once, and a receiver without TLS is recognised', async (t) => {
  const literal = await openPost(t, {})({ ...MESSAGE, url: 'https://127.0.0.1/' });
  assert.equal(literal.error, 'The address was refused: 127.0.0.1 is not an address on the public internet.');
  const plain = await startReceiver(t);
  const post = openPost(t, { allowsPrivate: true });
  const { error } = await post({ ...MESSAGE, url: plain.url.replace('http:', 'https:') });
  assert.match(error!, /does not answer with TLS/);
});
