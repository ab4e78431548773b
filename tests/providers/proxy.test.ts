// Requests to providers go through a proxy when the variables of Node say so: plain ones in full, those with TLS through a tunnel.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';

const ATTEMPT = path.resolve(import.meta.dirname, '../../server/src/providers/attempt.ts');

/** The agents read the variables when they are made, so the requests are those of another process. */
const ASK = `const { attempt } = await import(process.argv[1]);
  for (const url of ['http://provider.invalid/balance', 'https://provider.invalid/balance']) {
    const reply = await attempt({ method: 'GET', url, headers: {}, body: null, timeoutMs: 10_000 });
    console.log('kind' in reply ? reply.code : reply.status);
  }`;

test('a proxy of the environment gets the requests to providers', async (t) => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  proxy.on('connect', (request, socket) => {
    seen.push(`${request.method} ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterwards(t, () => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = { PATH: process.env.PATH, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: url, HTTPS_PROXY: url };
  const child = spawn(process.execPath, ['--input-type=module', '-e', ASK, ATTEMPT], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.equal(await text(child.stdout), '200\nconnection\n');
  assert.deepEqual(seen, ['GET http://provider.invalid/balance', 'CONNECT provider.invalid:443']);
});
