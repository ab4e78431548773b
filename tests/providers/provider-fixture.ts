// The fixture of the adapter tests: a sandbox, three adapters connected to it, a record of their calls, and an HTTP server that
// answers with any bytes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/src/sandbox-config.ts';
import type { Answer } from '../../server/src/base/answer.ts';
import type { Amount } from '../../server/src/books/money.ts';
import { readConfig } from '../../server/src/config/config.ts';
import type { CallRecord } from '../../server/src/providers/call-record.ts';
import { openProviders, type Providers } from '../../server/src/providers/providers.ts';
import { parseDecimal } from '../../server/src/providers/wire-amount.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { shareInFile } from '../support/share-in-file.ts';

export type Simulators = {
  sandbox: Sandbox;
  calls: CallRecord[];
  escrow: NonNullable<Providers['escrow']>;
  payment: NonNullable<Providers['payment']>;
  network: NonNullable<Providers['network']>;
  asset: Providers['asset'];
  arm: Sandbox['faults']['arm'];
  /** The same systems through adapters that wait only a moment, for answers that never come. */
  hurried: Pick<Simulators, 'escrow' | 'payment' | 'network'>;
  /** How many of the armed calls have come: each one strikes once. */
  struck(fault: { id: string; count: number }): number;
};

type Choice = { sandbox?: SandboxOptions; env?: Record<string, string> };

export async function openSimulators(t: Hooks, { sandbox: options = {}, env = {} }: Choice = {}): Promise<Simulators> {
  const sandbox = await startSandbox({ port: 0, ...options });
  afterwards(t, () => sandbox.close());
  return simulatorsAt(sandbox, env);
}

/** Adapters of its own for each test, at one sandbox for all tests of a file. Accounts and contracts of earlier tests are there. */
export const shareSimulators = (): (() => Simulators) => {
  const shared = shareInFile((t) => openSimulators(t));
  return () => {
    const { sandbox } = shared();
    sandbox.faults.clear();
    return simulatorsAt(sandbox);
  };
};

/** The same, at a sandbox that is empty when a test begins. */
export const shareEmptySimulators = (): (() => Promise<Simulators>) => {
  const shared = shareInFile((t) => openSimulators(t));
  return async () => {
    const { sandbox } = shared();
    const { status } = await fetch(`${sandbox.urls.control}/reset`, { method: 'POST' });
    assert.equal(status, 200);
    return simulatorsAt(sandbox);
  };
};

function simulatorsAt(sandbox: Sandbox, env: Record<string, string> = {}): Simulators {
  const calls: CallRecord[] = [];
  const open = (more: Record<string, string>) => {
    const read = readConfig({ ...env, ...more });
    assert.ok(read.ok);
    const opened = openProviders(read.config, { sandboxUrl: sandbox.url, onCall: (call) => calls.push(call) });
    const { escrow, payment, network, asset } = opened;
    assert.ok(escrow && payment && network);
    return { escrow, payment, network, asset };
  };
  const struck = ({ id, count }: { id: string; count: number }) =>
    count - (sandbox.faults.list().find((fault) => fault.id === id)?.count ?? 0);
  return {
    sandbox,
    calls,
    ...open({}),
    hurried: open({ PROVIDER_TIMEOUT_MS: '300' }),
    arm: sandbox.faults.arm,
    struck,
  };
}

export const amount = (text: string): Amount => {
  const parsed = parseDecimal(text);
  assert.ok(parsed !== null, text);
  return parsed;
};

export function take<T>(answer: Answer<T>): T {
  assert.equal(
    answer.kind,
    'yes',
    JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  );
  return (answer as { value: T }).value;
}

/** The kind with its code, for short comparisons. */
export const gist = (answer: Answer<unknown>): [string, string | null] => [
  answer.kind,
  answer.kind === 'yes' ? null : answer.code,
];

type Odd = { url: string; seen: IncomingMessage[] };

/** A server with these answers in turn; the last one repeats for ever. */
export async function startOddOne(
  t: Hooks,
  answers: ((response: ServerResponse, request: IncomingMessage) => void)[],
): Promise<Odd> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    request.on('end', () => answers[Math.min(seen.length, answers.length) - 1]!(response, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export const say =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));

export const cut = (response: ServerResponse) => response.destroy();
export const silence = () => {};
/** An answer that Node takes for a change to another protocol. */
export const otherProtocol = (response: ServerResponse) =>
  response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n');
