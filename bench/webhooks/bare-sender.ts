// The yardstick of bench/webhooks.ts: signs and posts one body to all receivers, with as many sockets as the server uses, and records
// nothing.

import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

type Order = {
  readonly ports: readonly number[];
  readonly body: string;
  readonly each: number;
  readonly sockets: number;
};

const secret = randomBytes(32);
const agent = new Agent({ keepAlive: true });

const post = (port: number, { body, n }: { body: string; n: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const id = `evt_${port}_${n}`;
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/hooks', headers, agent }, (answer) => {
      answer.resume().once('end', resolve);
    });
    sent.once('error', reject).end(body);
  });

process.on('message', async ({ ports, body, each, sockets }: Order) => {
  const cpu = process.cpuUsage();
  const turns = Array.from({ length: each }, (_, n) => ports.map((port) => ({ port, n })))
    .flat()
    .values();
  const work = async (): Promise<void> => {
    for (const { port, n } of turns) await post(port, { body, n });
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: sockets }, work));
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  process.send!({ seconds, cpuMicros: user + system });
});
process.send!('ready');
