// An import that is killed after any of its requests and started again has the same end as one that was never killed, with the file of what
// was written and without it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { CSV, FILES, openImport } from './fixture.ts';

/** Forwards every request. After the answer to the chosen one it calls `reached` and lets the caller wait for ever. */
const startProxy = async (t: Hooks, target: string) => {
  const state = { count: 0, last: Number.POSITIVE_INFINITY, reached: () => {} };
  const server = createServer((request, response) => {
    const isLast = ++state.count === state.last;
    const { method, headers, url } = request;
    const onward = forward(`${target}${url}`, { method, headers }, (answer) => {
      if (isLast) answer.resume().on('end', () => state.reached());
      else answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state };
};

type Proxy = Awaited<ReturnType<typeof startProxy>>;

/** One import that is killed after its n-th request, and the run after it. Null: it ended before. */
const killedAt = async (t: TestContext, { app, proxy, last }: { app: TestApp; proxy: Proxy; last: number }) => {
  const opened = await openImport(t, app, { ownProcesses: true, url: proxy.url });
  await opened.write(CSV);
  const planned = await opened.run(FILES);
  const args = [...FILES, '--apply', planned.json.plan];
  proxy.state.count = 0;
  proxy.state.last = last;
  const killed = opened.tool.start(['import', ...args]);
  proxy.state.reached = () => void killed.child.kill('SIGKILL');
  const { code } = await killed.ended;
  proxy.state.last = Number.POSITIVE_INFINITY;
  if (last % 2 === 0) await rm(path.join(opened.tool.folder, 'import-opening.jsonl'), { force: true });
  const resumed = await opened.run(args);
  assert.equal(resumed.code, 0, `after request ${last}: ${resumed.err}${resumed.out}`);
  assert.deepEqual(resumed.json.differences, []);
  return { wasKilled: code === null, result: await opened.result(), opened };
};

test('killed after any request and started again, every row is imported once', { timeout: 900_000 }, async (t) => {
  const app = await startApp(t);
  const proxy = await startProxy(t, app.url);
  const whole = await killedAt(t, { app, proxy, last: Number.POSITIVE_INFINITY });
  assert.equal(whole.wasKilled, false);
  let kills = 0;
  for (let last = 1; ; last++) {
    const { wasKilled, result, opened } = await killedAt(t, { app, proxy, last });
    assert.deepEqual(result, whole.result, `killed after request ${last}`);
    if (!wasKilled) break;
    kills++;
    await opened.assertProof();
  }
  assert.ok(kills > 20, `${kills} kills`);
  t.diagnostic(`killed after each of ${kills} requests`);
});
