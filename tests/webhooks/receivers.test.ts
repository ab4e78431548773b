// Receivers that break the rules of HTTP, on purpose or not, and what one of them may cost the others.

import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createFairPlaces } from '../../server/src/outgoing/fair-places.ts';
import { createPost, type Post } from '../../server/src/outgoing/post.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const running = new AbortController().signal;

/** Calls with each request of a connection, and its number on it. */
const startRaw = async (t: TestContext, onRequest: (socket: Socket, nth: number) => void) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let nth = 0;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (data.toString().startsWith('POST ')) onRequest(socket, ++nth);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, connections: () => sockets.size };
};

const openPost = (t: TestContext, options: { timeoutMs?: number; atOnce?: number } = {}) => {
  const { post, close } = createPost({ allowsPrivate: true, timeoutMs: 10_000, atOnce: 10, ...options });
  afterwards(t, close);
  return (url: string, more: Partial<Parameters<Post>[0]> = {}) =>
    post({ url, owner: 'mkt_shop', headers: {}, body: '{}', signal: running, ...more });
};

test('a kept connection that the receiver closes at the next request is no failure of the receiver', async (t) => {
  const { url, connections } = await startRaw(t, (socket, nth) => (nth === 1 ? socket.write(OK) : socket.destroy()));
  const post = openPost(t);
  for (let time = 1; time <= 3; time++) {
    const { status, error } = await post(url);
    assert.deepEqual([status, error], [200, null], `request ${time}`);
  }
  assert.equal(connections(), 3);
});

test('a new connection that the receiver closes is a failure', async (t) => {
  const { url, connections } = await startRaw(t, (socket) => socket.destroy());
  assert.match((await openPost(t)(url)).error!, /closed the connection/);
  assert.equal(connections(), 1);
});

type Answer = { send(socket: Socket): void; status: number | null; error: RegExp | null; timeoutMs?: number };

const ANSWERS: Record<string, Answer> = {
  'a body that breaks off': {
    send: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    status: 200,
    error: null,
  },
  'a body that never ends': {
    send: (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
    status: 200,
    error: null,
    timeoutMs: 500,
  },
  'HTTP/1.0 without a length': {
    send: (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nhalf'),
    status: 200,
    error: null,
  },
  'a refusal whose body breaks off': {
    send: (socket) => socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\nhalf'),
    status: 503,
    error: /answered 503/,
  },
  'only informational answers': {
    send: (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'),
    status: null,
    error: /no answer within/,
    timeoutMs: 300,
  },
  'a switch to another protocol': {
    send: (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    status: null,
    error: /wants another protocol/,
  },
  'headers without an end': {
    send(socket) {
      socket.write('HTTP/1.1 200 OK\r\n');
      for (let i = 0; i < 1_000; i++) socket.write(`x-${i}: ${'x'.repeat(1_000)}\r\n`);
    },
    status: null,
    error: /HPE_HEADER_OVERFLOW/,
  },
  'a status that is none': {
    send: (socket) => socket.end('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'),
    status: 999,
    error: /answered 999/,
  },
  'no HTTP at all': { send: (socket) => socket.end('220 mail.example ESMTP\r\n'), status: null, error: /HPE_/ },
};

for (const [what, { send, status, error, timeoutMs = 10_000 }] of Object.entries(ANSWERS)) {
  test(`${what} has an outcome in time`, async (t) => {
    const { url } = await startRaw(t, send);
    const result = await openPost(t, { timeoutMs })(url);
    assert.equal(result.status, status);
    if (error) assert.match(result.error!, error);
    else assert.deepEqual([result.error, result.responseHead], [null, 'half']);
  });
}

test('the time of a request begins when it has a place, so a silent receiver fails no other', async (t) => {
  const silent = await startRaw(t, () => {});
  const good = await startRaw(t, (socket) => void socket.write(OK));
  const post = openPost(t, { atOnce: 2, timeoutMs: 300 });
  const slow = Array.from({ length: 6 }, () => post(silent.url, { owner: 'mkt_slow' }));
  const [first] = await Promise.all([post(good.url), ...slow]);
  assert.deepEqual([first!.status, first!.error], [200, null]);
});

test('a request that waits for a place ends with its sender', async (t) => {
  const silent = await startRaw(t, () => {});
  const post = openPost(t, { atOnce: 1 });
  const stopped = new AbortController();
  const both = [post(silent.url, { signal: stopped.signal }), post(silent.url, { signal: stopped.signal })];
  await until(() => silent.connections() === 1);
  stopped.abort();
  for (const { status, error } of await Promise.all(both)) assert.ok(status === null && error !== null);
});

test('a free place goes to the owner with the fewest requests on their way', async () => {
  const places = createFairPlaces(5);
  const order: string[] = [];
  const enter = (owner: string) => places.enter(owner, running).then(() => void order.push(owner));
  await Promise.all(['many', 'many', 'many', 'many', 'few'].map(enter));
  const waiting = ['many', 'many', 'few', 'new'].map(enter);
  places.leave('many');
  await waiting[3];
  places.leave('many');
  await waiting[2];
  assert.deepEqual(order.slice(5), ['new', 'few']);
  for (const owner of ['few', 'few']) places.leave(owner);
  await Promise.all(waiting);
  assert.deepEqual(order.slice(7), ['many', 'many']);
});
