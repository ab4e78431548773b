// Requests to providers go through a proxy when the variables of Node say so: plain ones in full, those with TLS through a tunnel.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';

const ATTEMPT = path.resolve(import.meta.dirname, '../../server/src/providers/attempt.ts');

/** The agents read the variables when they are made, so the requests are those of another process. */
const ASK = `const { attempt } = await import(process.argv[1]);
  for (const url of process.argv.slice(3)) {
    const request = { method: 'GET', url, headers: {}, body: null, timeoutMs: Number(process.argv[2]) };
    const reply = await attempt(request);
    console.log('kind' in reply ? reply.code : reply.status);
  }
  process.exit();`;

type Asked = {
  readonly urls: readonly string[];
  readonly timeoutMs: number;
  readonly onTunnel: (socket: Duplex) => void;
};

/** The first lines of the requests that the proxy gets, and one line for each result. */
const askThroughProxy = async (t: TestContext, { urls, timeoutMs, onTunnel }: Asked) => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  const tunnels: Duplex[] = [];
  proxy.on('connect', (request, socket) => {
    seen.push(`${request.method} ${request.url}`);
    tunnels.push(socket);
    // The other process ends while the tunnel is open, which may reset it.
    socket.on('error', () => {});
    onTunnel(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterwards(t, () => {
    for (const tunnel of tunnels) tunnel.destroy();
    proxy.closeAllConnections();
    proxy.close();
  });
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = { PATH: process.env.PATH, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: url, HTTPS_PROXY: url };
  const child = spawn(process.execPath, ['--input-type=module', '-e', ASK, ATTEMPT, `${timeoutMs}`, ...urls], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { results: await text(child.stdout), seen };
};

test('a proxy of the environment gets the requests to providers', async (t) => {
  const { results, seen } = await askThroughProxy(t, {
    urls: ['http://provider.invalid/balance', 'https://provider.invalid/balance'],
    timeoutMs: 30_000,
    onTunnel: (socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
  });
  assert.equal(results, '200\nconnection\n');
  assert.deepEqual(seen, ['GET http://provider.invalid/balance', 'CONNECT provider.invalid:443']);
});

test('a proxy that opens no tunnel, or one without an answer, does not keep a request beyond its deadline', async (t) => {
  for (const answer of ['', 'HTTP/1.1 200 OK\r\n\r\n']) {
    const onTunnel = (socket: Duplex): void => void socket.write(answer);
    const urls = ['https://provider.invalid/balance'];
    assert.equal((await askThroughProxy(t, { urls, timeoutMs: 200, onTunnel })).results, 'timeout\n');
  }
});
