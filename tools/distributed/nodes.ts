// A coordinator and some workers in one folder, each a PostgreSQL with Citus. They find each other by the sockets in their folders, so
// nothing listens on the network.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Account, chooseAccount, isRoot, runAs } from '../../server/src/postgres/account.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import type { Settings } from '../../server/src/postgres/settings.ts';
import { until } from '../until.ts';
import type { Programs } from './programs.ts';

export type Node = {
  readonly name: string;
  readonly connection: Connection;
  pid(): number;
  /** As a crash of the machine does: no backend can end its work. */
  kill(): Promise<void>;
  /** It keeps its connections, accepts new ones, and answers nothing until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type Nodes = { readonly coordinator: Node; readonly workers: readonly Node[]; stop(): Promise<void> };

type NodesStart = {
  readonly programs: Programs;
  readonly folder: string;
  readonly workers: number;
  readonly settings?: Settings;
};

const run = promisify(execFile);
const USER = 'holdfast';
export const DATABASE = 'holdfast';
const PORT = 5432;

const SETTINGS: Settings = {
  shared_preload_libraries: 'citus',
  // Moving a shard copies it by logical replication.
  wal_level: 'logical',
  max_prepared_transactions: 400,
  max_connections: 400,
  shared_buffers: '128MB',
  jit: 'off',
  // A worker that does not answer must not make its marketplaces wait.
  'citus.node_connection_timeout': '3s',
};

/** Backends have sessions of their own, and would end their work after the death of the postmaster. Stopped, it starts no new one. */
export const signalAll = async (pid: number, signal: NodeJS.Signals): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  for (const each of [
    ...children
      .split(' ')
      .filter((text) => text !== '')
      .map(Number),
    pid,
  ]) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended by itself.
    }
  }
};

type NodeStart = NodesStart & { readonly name: string; readonly account: Account };

const createNode = async ({ programs, folder, name, account, settings }: NodeStart): Promise<Node> => {
  const data = path.join(folder, name);
  await mkdir(data, { mode: 0o700 });
  if (isRoot()) await chown(data, account.uid, account.gid);
  const as = runAs(account, data);
  await run(programs.initdb, ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'], as);
  const connection: Connection = { host: data, port: PORT, user: USER, database: DATABASE, ssl: false };
  const own: Settings = {
    ...SETTINGS,
    ...settings,
    listen_addresses: '',
    unix_socket_directories: data,
    // A move of a shard connects to its own machine by this name.
    'citus.local_hostname': data,
    port: PORT,
  };
  const args = Object.entries(own).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]);
  let child: ReturnType<typeof spawn> | null = null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    if (signal === 'SIGKILL') await signalAll(ending.pid!, 'SIGKILL');
    else ending.kill(signal);
    await ended;
  };
  const start = async (): Promise<void> => {
    const log = await open(path.join(folder, `${name}.log`), 'a');
    child = spawn(programs.postgres, ['-D', data, ...args], {
      ...as,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    await until(() => answers({ ...connection, database: 'postgres' }), `${name} answers`);
  };
  return {
    name,
    connection,
    pid: () => child!.pid!,
    kill: () => end('SIGKILL'),
    freeze: () => signalAll(child!.pid!, 'SIGSTOP'),
    thaw: () => signalAll(child!.pid!, 'SIGCONT'),
    start,
    stop: () => end('SIGINT'),
  };
};

const answers = async (connection: Connection): Promise<boolean> => {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
};

export const queryNode = async (node: Node, text: string, of: { database?: string; values?: unknown[] } = {}) => {
  const client = new pg.Client({ ...node.connection, database: of.database ?? DATABASE });
  client.on('error', () => {});
  await client.connect();
  return client.query(text, of.values ?? []).finally(() => client.end());
};

/** A database on every node, known to all nodes as one. */
export const createDistributedDatabase = async ({ coordinator, workers }: Nodes, database: string): Promise<void> => {
  for (const node of [coordinator, ...workers]) {
    await queryNode(node, `create database ${database}`, { database: 'postgres' });
    await queryNode(node, 'create extension citus', { database });
  }
  const { host } = coordinator.connection;
  await queryNode(coordinator, 'select citus_set_coordinator_host($1, $2)', { database, values: [host, PORT] });
  for (const { connection } of workers)
    await queryNode(coordinator, 'select citus_add_node($1, $2)', { database, values: [connection.host, PORT] });
};

export const startNodes = async (options: NodesStart): Promise<Nodes> => {
  const account = await chooseAccount();
  const names = ['coordinator', ...Array.from({ length: options.workers }, (_, at) => `worker-${at + 1}`)];
  const nodes: Node[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (const name of names) {
      const node = await createNode({ ...options, name, account });
      nodes.push(node);
      await node.start();
    }
    const [coordinator, ...workers] = nodes;
    const all = { coordinator: coordinator!, workers, stop };
    await createDistributedDatabase(all, DATABASE);
    return all;
  } catch (error) {
    await stop();
    throw error;
  }
};
