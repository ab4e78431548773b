// HAProxy with the settings of deploy/haproxy.cfg. Only the addresses differ, so that tests and benchmarks use the deployed
// configuration.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { endWithProcess } from '../../server/src/programs/interruption.ts';
import { until } from '../drills/stage.ts';
import type { Balancer, BalancerStart, Place } from './balancer.ts';

const DEPLOYED = path.resolve(import.meta.dirname, '../../deploy/haproxy.cfg');

type Local = Omit<BalancerStart, 'folder'> & { readonly socket: string };

/** The deployed settings with servers at known ports instead of the names that Docker resolves. */
export const localSettings = (deployed: string, { port, serverPorts, socket, scattered }: Local): string => {
  const servers = serverPorts.map((each) => `    server s${each} 127.0.0.1:${each}`).join('\n');
  return deployed
    .replace(/^ {4}maxconn \d+$/m, `    stats socket ${socket} mode 600 level user`)
    .replace('bind :4000', `bind 127.0.0.1:${port}`)
    .replaceAll(/^ {4}server-template .*$/gm, servers)
    .replace(/^ {4}balance hdr.*\n.*hash-type.*$/m, (kept) => (scattered ? '    balance leastconn' : kept))
    .replace(/^# Docker's DNS[\s\S]*/m, '');
};

const sendCommand = async (socket: string, command: string): Promise<string> => {
  const line = connect(socket);
  line.end(`${command}\n`);
  let text = '';
  for await (const chunk of line) text += chunk;
  return text;
};

/** Reads the comma-separated table of `show stat`. Each backend lists every server. */
export const placesIn = (table: string, serverPorts: readonly number[]): Place[] => {
  const [head = '', ...lines] = table.trim().split('\n');
  const columns = head.replace('# ', '').split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return (name: string): string => cells[columns.indexOf(name)] ?? '';
  });
  return serverPorts.map((port) => {
    const own = rows.filter((cell) => cell('svname') === `s${port}`);
    return {
      port,
      isIn: own.every((cell) => cell('status').startsWith('UP')),
      requests: own.reduce((sum, cell) => sum + Number(cell('stot')), 0),
    };
  });
};

export const startHaproxy = async (start: BalancerStart, program: string): Promise<Balancer> => {
  const socket = path.join(start.folder, 'haproxy.sock');
  const file = path.join(start.folder, 'haproxy.cfg');
  await writeFile(file, localSettings(await readFile(DEPLOYED, 'utf8'), { ...start, socket }));
  const child = spawn(program, ['-db', '-f', file], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  endWithProcess(child);
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  let hasEnded = false;
  const ended = once(child, 'exit').then(() => {
    hasEnded = true;
  });
  const readPlaces = async (): Promise<Place[]> => placesIn(await sendCommand(socket, 'show stat'), start.serverPorts);
  const answers = (): Promise<boolean> =>
    readPlaces().then(
      () => true,
      () => false,
    );
  await until(async () => hasEnded || (await answers()), 'HAProxy answers');
  if (hasEnded) throw new Error(`HAProxy did not start: ${said}`);
  return {
    url: `http://127.0.0.1:${start.port}`,
    pid: child.pid!,
    readPlaces,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
