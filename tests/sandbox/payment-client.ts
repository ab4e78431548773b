// What the sandbox tests call with: a started sandbox, its payment provider and control over HTTP, a receiver of
// webhooks, and a sandbox in a process of its own that can be killed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/src/sandbox-config.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { shareInFile } from '../support/share-in-file.ts';

export const SECRET = `whsec_${Buffer.from('a secret for the tests only').toString('base64')}`;
const ROOT = path.resolve(import.meta.dirname, '../..');

// biome-ignore lint/suspicious/noExplicitAny: answers of a system we stand in for; each test says what it expects.
type Json = any;
export type Answer = { status: number; body: Json };
export type Call = (how: string, body?: unknown, options?: { signal?: AbortSignal }) => Promise<Answer>;

export async function openSandbox(t: Hooks, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ port: 0, ...options });
  afterwards(t, () => sandbox.close());
  return sandbox;
}

/** One sandbox for all tests of a file: each begins with an empty one. */
export const shareSandbox = (): (() => Promise<Sandbox>) => {
  const shared = shareInFile((t) => openSandbox(t));
  return async () => {
    const sandbox = shared();
    const { status } = await controlOf(sandbox.url)('POST /reset');
    assert.equal(status, 200);
    return sandbox;
  };
};

// `call('POST /payins', body)` under that address.
export function caller(base: string, headers: Record<string, string> = {}): Call {
  return async (how, body, options) => {
    const [method = '', route = ''] = how.split(' ');
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(base + route, {
      method,
      headers: { ...headers, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...options,
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
  };
}

const BASIC = `Basic ${Buffer.from('sandbox-key:sandbox-secret').toString('base64')}`;
export const paymentOf = (url: string) => caller(`${url}/payment-provider/v2`, { authorization: BASIC });
export const controlOf = (url: string) => caller(`${url}/control`);

export const payinBody = (code: string, amount = 25.5) => ({
  code,
  amount,
  description: 'Top-up',
  items: [{ description: 'Top-up', amount, quantity: 1 }],
  confirmationUri: 'http://127.0.0.1:1/confirmed?from=sandbox',
  cancelUri: 'http://127.0.0.1:1/cancelled',
});

export const payoutBody = (code: string, more: Record<string, unknown> = {}) => ({
  airtmUserEmail: 'maria@example.com',
  amount: 40,
  notes: 'Withdrawal',
  code,
  ...more,
});

export type Received = { id: string; at: number; signature: string; verified: boolean; text: string; body: Json };
export type Receiver = {
  url: string;
  received: Received[];
  // Resolves when so many have come in all.
  count(many: number): Promise<Received[]>;
  // The statuses of the next answers; 200 when there is none left.
  answerWith(...statuses: number[]): void;
};

export async function startReceiver(t: Hooks): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { many: number; done: (all: Received[]) => void }[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const header = (name: string) => String(request.headers[name]);
    const at = Number(header('svix-timestamp'));
    received.push({
      id: header('svix-id'),
      at,
      signature: header('svix-signature'),
      verified: verify(text, header),
      text,
      body: JSON.parse(text),
    });
    response.writeHead(statuses.shift() ?? 200).end('{}');
    for (const { many, done } of waiting) if (received.length >= many) done(received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    count: (many) =>
      received.length >= many ? Promise.resolve(received) : new Promise((done) => waiting.push({ many, done })),
    answerWith: (...next) => void statuses.push(...next),
  };
}

function verify(text: string, header: (name: string) => string): boolean {
  const named = Object.fromEntries(['id', 'timestamp', 'signature'].map((n) => [`webhook-${n}`, header(`svix-${n}`)]));
  try {
    new Webhook(SECRET).verify(text, named);
    return true;
  } catch {
    return false;
  }
}

type SandboxProcess = { url: string; pid: number; kill(signal: NodeJS.Signals): Promise<void> };

export async function startSandboxProcess(t: Hooks, dataDir: string): Promise<SandboxProcess> {
  const env = { ...process.env, SANDBOX_PORT: '0', DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['sandbox/src/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  afterwards(t, () => (child.exitCode === null && child.signalCode === null ? kill('SIGKILL') : undefined));
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [unknown];
  const url = /ready at (\S+)/.exec(String(line))?.[1];
  assert.ok(url, `the sandbox did not start: ${line}`);
  return { url, pid: child.pid!, kill };
}
