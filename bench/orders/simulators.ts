// The simulators of the outside systems in a process of their own, without any delay, and a count of what they were asked.

import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { startSandbox } from '../../sandbox/src/sandbox.ts';

export type Simulators = {
  readonly pid: number;
  readonly url: string;
  readonly issuer: string;
  readonly passphrase: string;
  readonly factories: Readonly<Record<string, string>>;
};

export type Counts = Readonly<Record<string, number>>;

const counts: Record<string, number> = {};

/** By system; what the test itself asks of the control API does not count. */
subscribe('http.server.request.start', (message) => {
  const { url = '' } = (message as { request: IncomingMessage }).request;
  const [, system = ''] = url.split('/');
  counts[system] = (counts[system] ?? 0) + 1;
});

const sandbox = await startSandbox({ port: 0 });
const described = sandbox.describe() as { network: Record<string, string>; escrowFactories: Record<string, string> };

process.on('disconnect', () => process.exit());
process.on('message', () => process.send!({ ...counts }));
const simulators: Simulators = {
  pid: process.pid,
  url: sandbox.url,
  issuer: described.network.usdcIssuer!,
  passphrase: described.network.passphrase!,
  factories: described.escrowFactories,
};
process.send!(simulators);
