// Two PostgreSQL under Patroni, their etcd, and HAProxy in front of the primary: processes of their own on the loopback address, with
// the settings of deploy/patroni. All of them end with the drill.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type Account, chooseAccount, isRoot, runAs } from '../../server/src/postgres/account.ts';
import { endWithProcess } from '../../server/src/programs/interruption.ts';
import { signalAll } from '../distributed/nodes.ts';
import { freePort } from '../drills/server.ts';
import { type Stage, until } from '../drills/stage.ts';
import type { PatroniPrograms } from './programs.ts';
import { haproxySettings, type NodePlace, newSecrets, patroniSettings, type Secrets } from './settings.ts';

type Member = {
  readonly name: string;
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
  readonly timeline?: number;
};

type PatroniNode = {
  readonly name: string;
  start(): Promise<void>;
  /** PostgreSQL with all its backends, and its Patroni, as a power cut does. */
  kill(): Promise<void>;
};

export type Pair = {
  readonly nodes: readonly PatroniNode[];
  /** The database as Holdfast reaches it. */
  readonly connection: pg.ClientConfig;
  readonly url: string;
  /** As the first member that answers reports them; empty when none does. */
  members(): Promise<Member[]>;
  /** Asks the primary to give its role to the other. */
  switchover(from: string, to: string): Promise<void>;
};

const OWNER = 'holdfast';

type Ground = { readonly stage: Stage; readonly folder: string; readonly account: Account };

/** Starts a program as the account of PostgreSQL; its output goes to a file in the folder. */
const startProcess = async (
  { folder, account }: Omit<Ground, 'stage'>,
  { name, program, args }: { name: string; program: string; args: readonly string[] },
): Promise<ChildProcess> => {
  const log = await open(path.join(folder, `${name}.log`), 'a');
  const options: SpawnOptions = { ...runAs(account, folder), detached: true, stdio: ['ignore', log.fd, log.fd] };
  const child = spawn(program, args, options);
  await log.close();
  endWithProcess(child);
  return child;
};

const hasEnded = (child: ChildProcess | null): boolean =>
  child === null || child.exitCode !== null || child.signalCode !== null;

const endProcess = async (child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> => {
  if (child === null || hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
};

const startEtcd = async (ground: Ground, program: string): Promise<number> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const options = {
    name: 'etcd',
    'data-dir': path.join(ground.folder, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd=${peerUrl}`,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = await startProcess(ground, { name: 'etcd', program, args });
  ground.stage.afterwards(() => endProcess(child, 'SIGTERM'));
  await until(async () => (await fetch(`${url}/health`).catch(() => null))?.ok === true, 'etcd answers');
  return port;
};

const postmasterOf = async (dataDir: string): Promise<number | null> => {
  const text = await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || null;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

type NodeStart = { readonly place: NodePlace; readonly programs: PatroniPrograms };

const createNode = (ground: Ground, { place, programs }: NodeStart): PatroniNode => {
  const { name, dataDir } = place;
  let child: ChildProcess | null = null;
  const killDatabase = async (): Promise<void> => {
    const pid = await postmasterOf(dataDir);
    if (pid === null || !isAlive(pid)) return;
    await signalAll(pid, 'SIGKILL');
    await until(() => !isAlive(pid), `PostgreSQL of ${name} has ended`);
  };
  ground.stage.afterwards(async () => {
    await endProcess(child, 'SIGTERM');
    await killDatabase();
  });
  return {
    name,
    async start() {
      const args = [path.join(ground.folder, `${name}.yml`)];
      child = await startProcess(ground, { name, program: programs.patroni, args });
    },
    async kill() {
      // Patroni first: it would start its PostgreSQL again.
      await endProcess(child, 'SIGKILL');
      await killDatabase();
    },
  };
};

const startHaproxy = async (
  ground: Ground,
  { program, places }: { program: string; places: readonly NodePlace[] },
): Promise<number> => {
  const port = await freePort();
  const file = path.join(ground.folder, 'haproxy.cfg');
  await writeFile(file, await haproxySettings(port, places));
  const child = await startProcess(ground, { name: 'haproxy', program, args: ['-db', '-f', file] });
  ground.stage.afterwards(() => endProcess(child, 'SIGTERM'));
  return port;
};

const query = async (connection: pg.ClientConfig, texts: readonly string[]): Promise<pg.QueryResult[]> => {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const text of texts) results.push(await client.query(text));
    return results;
  } finally {
    await client.end();
  }
};

/** HAProxy takes every server for the primary until its first checks, and gives new connections to them in turn. */
const leadsToPrimary = async (connection: pg.ClientConfig): Promise<boolean> => {
  for (let connected = 0; connected < 2; connected++) {
    const results = await query(connection, ['select pg_is_in_recovery() as replica']).catch(() => null);
    if (results === null || results[0]!.rows[0].replica) return false;
  }
  return true;
};

/** The role and the database of the server, as an operator creates them once. */
const createDatabase = async (port: number, { SUPERUSER: password }: Secrets): Promise<pg.ClientConfig> => {
  const { SUPERUSER: ownerPassword } = newSecrets();
  const connection = { host: '127.0.0.1', port, user: OWNER, password: ownerPassword, database: OWNER };
  const superuser = { ...connection, user: 'postgres', password, database: 'postgres' };
  await until(() => leadsToPrimary(superuser), 'HAProxy leads to the primary only');
  await query(superuser, [
    `create role ${OWNER} login password '${ownerPassword}'`,
    `create database ${OWNER} owner ${OWNER}`,
  ]);
  return connection;
};

const preparePlaces = async (ground: Ground, start: { programs: PatroniPrograms; etcdPort: number }) => {
  const secrets = newSecrets();
  const places: NodePlace[] = [];
  for (const name of ['db-1', 'db-2']) {
    const dataDir = path.join(ground.folder, name, 'data');
    const place = { name, dataDir, port: await freePort(), restPort: await freePort() };
    await mkdir(path.dirname(dataDir), { mode: 0o700 });
    if (isRoot()) await chown(path.dirname(dataDir), ground.account.uid, ground.account.gid);
    const { etcdPort, programs } = start;
    const file = path.join(ground.folder, `${name}.yml`);
    await writeFile(file, await patroniSettings(place, { etcdPort, binDir: programs.binDir, secrets }), {
      mode: 0o600,
    });
    if (isRoot()) await chown(file, ground.account.uid, ground.account.gid);
    places.push(place);
  }
  return { secrets, places };
};

const readMembers = async (places: readonly NodePlace[]): Promise<Member[]> => {
  for (const { restPort } of places) {
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => null,
    );
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  return [];
};

const isWhole = (members: readonly Member[]): boolean =>
  members.some(({ role, state }) => role === 'leader' && state === 'running') &&
  members.some(({ role }) => role === 'sync_standby');

/** When one of them is the primary and the other one its synchronous replica. */
export const untilWhole = ({ members }: Pick<Pair, 'members'>): Promise<void> =>
  until(async () => isWhole(await members()), 'the pair has a primary and a synchronous replica');

export const startPair = async (stage: Stage, programs: PatroniPrograms): Promise<Pair> => {
  const account = await chooseAccount();
  const folder = await stage.folder();
  if (isRoot()) await chown(folder, account.uid, account.gid);
  const ground: Ground = { stage, folder, account };
  const etcdPort = await startEtcd(ground, programs.etcd);
  const { secrets, places } = await preparePlaces(ground, { programs, etcdPort });
  const nodes = places.map((place) => createNode(ground, { place, programs }));
  const members = (): Promise<Member[]> => readMembers(places);
  for (const node of nodes) await node.start();
  await untilWhole({ members });
  const connection = await createDatabase(await startHaproxy(ground, { program: programs.haproxy, places }), secrets);
  return {
    nodes,
    connection,
    url: `postgres://${OWNER}:${connection.password}@127.0.0.1:${connection.port}/${OWNER}`,
    members,
    async switchover(from, to) {
      const { restPort } = places.find(({ name }) => name === from)!;
      const body = JSON.stringify({ leader: from, candidate: to });
      const answer = await fetch(`http://127.0.0.1:${restPort}/switchover`, { method: 'POST', body });
      if (!answer.ok) throw new Error(`the switchover was refused: ${answer.status} ${await answer.text()}`);
    },
  };
};
