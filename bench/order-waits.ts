// Measures how long each request of an order's life waits when every call to an outside system takes 300 ms, one order after the other.
// Beside it the calls that cannot be avoided, because each needs the answer to the one before it, and the calls that were made.
//
//   node bench/order-waits.ts [--rounds 3]

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runningConnection } from '../server/src/postgres/for-command.ts';
import { startChild } from '../tools/measure/child.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { call, fillTreasury, settingsFor } from './orders/server.ts';
import type { Simulators } from './orders/simulators.ts';
import { startServer } from './server-process.ts';

const DELAY_MS = 300;

/**
 * Calls that depend on each other. Each contract call is prepared, submitted and looked up together with what it moved. Before a funding
 * the buyer's account and the treasury's are read, the treasury's payment is submitted and looked up, and the contract's code is read.
 */
const STEPS = [
  { step: 'reserve', unavoidable: 0 },
  { step: 'escrow', unavoidable: 3 },
  { step: 'escrow/fund', unavoidable: 8 },
  { step: 'resolution/release', unavoidable: 9 },
] as const;

const options = readOptions({
  name: 'bench:order-waits',
  about: 'Measures what the requests of an order wait for when each call to an outside system takes 300 ms.',
  seconds: 5,
  rounds: 3,
});

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Passes requests on to the simulators after a delay. Reads of the deposit watcher are not part of an order and do not count. */
const openDelay = async (target: string) => {
  const state = { delayMs: 0, requests: 0 };
  const proxy = createServer(async (incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!/^\/ledger\/payments/.test(url)) state.requests++;
    await delay(state.delayMs);
    const passed = forward(`${target}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, state, close: () => proxy.closeAllConnections() ?? proxy.close() };
};

await runBench(async (cleanUp) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-waits-'));
  await chmod(folder, 0o711);
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const simulators = await startChild<Simulators>(new URL('./orders/simulators.ts', import.meta.url), cleanUp);
  const slow = await openDelay(simulators.first.url);
  cleanUp.defer(async () => void slow.close());
  const masterKey = `master_${randomBytes(24).toString('hex')}`;
  const env = settingsFor({ ...simulators.first, url: slow.url });
  const server = await opening(cleanUp, startServer({ folder, masterKey, env }));
  const connection = (await runningConnection(path.join(folder, 'data')))!;
  const body = { name: 'bench', scopes: ['*'] };
  const { key } = await call(server, { key: masterKey, request: 'POST /auth/api-keys', body });
  const user = async (name: string): Promise<string> =>
    (await call(server, { key, request: 'POST /users', body: { externalUserId: name } })).id;
  const buyerId = await user('buyer');
  const sellerId = await user('seller');
  await call(server, { key, request: `POST /users/${buyerId}/balance/credit`, body: { amount: '1000.00' } });

  const seen = new Map<string, { ms: number[]; requests: number[] }>();
  const live = async (): Promise<void> => {
    const order = { buyerId, sellerId, amount: '1.00', title: 'A table' };
    const { id } = await call(server, { key, request: 'POST /orders', body: order });
    for (const { step } of STEPS) {
      const began = { at: performance.now(), requests: slow.state.requests };
      await call(server, { key, request: `POST /orders/${id}/${step}` });
      const { ms, requests } = seen.get(step) ?? { ms: [], requests: [] };
      ms.push(performance.now() - began.at);
      requests.push(slow.state.requests - began.requests);
      seen.set(step, { ms, requests });
    }
  };
  await fillTreasury(connection, { simulators: simulators.first, first: live });
  seen.clear();
  slow.state.delayMs = DELAY_MS;
  for (let round = 1; round <= options.rounds; round++) {
    say(`round ${round} of ${options.rounds}`);
    await live();
  }
  await server.stop();
  console.log('| request | calls made | dependent calls | they take, ms | waited, ms (median) |');
  console.log('|---|---:|---:|---:|---:|');
  for (const { step, unavoidable } of STEPS) {
    const { ms, requests } = seen.get(step)!;
    const cells = [step, median(requests), unavoidable, unavoidable * DELAY_MS, Math.round(median(ms))];
    console.log(`| ${cells.join(' | ')} |`);
  }
});
