// A proxy between the server and the simulators. It forwards every call, or stops an order at one of its calls.

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { count, type Gate } from './gate.ts';

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => Buffer.concat(await message.toArray());

/** The URL of the simulators for the server. */
export const openSimulatorsGate = async (t: TestContext, { gate, target }: { gate: Gate; target: string }) => {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(target);

  const forward = async ({ method, url: path, headers }: IncomingMessage, body: Buffer) => {
    const outgoing = request({ hostname, port, method, path, headers, agent });
    const answered = once(outgoing, 'response');
    outgoing.end(body);
    const [answer] = (await answered) as [IncomingMessage];
    return { status: answer.statusCode ?? 502, headers: answer.headers, body: await bodyOf(answer) };
  };

  const handle = async (asked: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = await bodyOf(asked);
    const turn = gate.current();
    // A read changes nothing: a kill at a read equals a kill at the step before it.
    const end = turn && asked.method !== 'GET' ? count(turn, `call ${asked.url}`) : null;
    if (end === 'before') return turn?.stop();
    const answer = await forward(asked, body);
    if (end === 'after') return turn?.stop();
    reply.writeHead(answer.status, answer.headers).end(answer.body);
  };

  const server = createServer((asked, reply) => {
    // The server of this call was killed, so the answer has no receiver.
    handle(asked, reply).catch(() => reply.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.close();
    server.closeAllConnections();
    agent.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
