// The files of deploy/patroni with addresses, folders and secrets of this machine. Everything else is as deployed, so that a drill proves
// the deployed settings.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const DEPLOYED = path.resolve(import.meta.dirname, '../../deploy/patroni');

export type NodePlace = {
  readonly name: string;
  readonly dataDir: string;
  readonly port: number;
  readonly restPort: number;
};

export type Secrets = Readonly<Record<'SUPERUSER' | 'REPLICATOR' | 'REWINDER', string>>;

export const newSecrets = (): Secrets => {
  const secret = (): string => randomBytes(16).toString('hex');
  return { SUPERUSER: secret(), REPLICATOR: secret(), REWINDER: secret() };
};

/** Replaces a text that the deployed file must have: a file that was changed must not lose a replacement without a word. */
const replaced = (text: string, replacements: readonly (readonly [string, string])[]): string =>
  replacements.reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`deploy/patroni no longer has "${from}"`);
    return done.replaceAll(from, to);
  }, text);

export const patroniSettings = async (
  { name, dataDir, port, restPort }: NodePlace,
  of: { etcdPort: number; binDir: string; secrets: Secrets },
): Promise<string> =>
  replaced(await readFile(path.join(DEPLOYED, 'patroni.yml'), 'utf8'), [
    ['name: db-1', `name: ${name}`],
    ['etcd:2379', `127.0.0.1:${of.etcdPort}`],
    ['0.0.0.0:8008', `127.0.0.1:${restPort}`],
    ['db-1:8008', `127.0.0.1:${restPort}`],
    ['0.0.0.0:5432', `127.0.0.1:${port}`],
    ['db-1:5432', `127.0.0.1:${port}`],
    ['/var/lib/postgresql/holdfast.pgpass', path.join(path.dirname(dataDir), `${name}.pgpass`)],
    ['/var/lib/postgresql/holdfast', dataDir],
    ['/usr/lib/postgresql/15/bin', of.binDir],
    // Nothing of a drill is in a folder of the machine: it connects over the loopback address.
    ['unix_socket_directories: /var/run/postgresql', "unix_socket_directories: ''"],
    ['- host replication replicator 10.0.0.0/8', '- host replication replicator 127.0.0.1/32'],
    ['CHANGE_SUPERUSER', of.secrets.SUPERUSER],
    ['CHANGE_REPLICATOR', of.secrets.REPLICATOR],
    ['CHANGE_REWINDER', of.secrets.REWINDER],
  ]);

export const haproxySettings = async (port: number, nodes: readonly NodePlace[]): Promise<string> =>
  replaced(await readFile(path.join(DEPLOYED, 'haproxy.cfg'), 'utf8'), [
    ['bind :5000', `bind 127.0.0.1:${port}`],
    ...nodes.map((node): readonly [string, string] => [
      `${node.name}:5432 check port 8008`,
      `127.0.0.1:${node.port} check port ${node.restPort}`,
    ]),
  ]);
