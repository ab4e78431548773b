// The load balancer in front of several servers: HAProxy, where it is installed. It gives the servers one address and
// reports for each server whether it is in use and how many requests it received.

import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { startHaproxy } from './haproxy.ts';

/** One server as the balancer sees it. */
export type Place = { readonly port: number; readonly isIn: boolean; readonly requests: number };

export type Balancer = {
  readonly url: string;
  readonly pid: number;
  readPlaces(): Promise<readonly Place[]>;
  stop(): Promise<void>;
};

export type BalancerStart = {
  readonly port: number;
  /** Ports of the servers on this machine. */
  readonly serverPorts: readonly number[];
  /** Folder for the balancer's own files. */
  readonly folder: string;
  /** Sends writes to the least busy server too, to measure the gain of keeping the writes of one key at one server. */
  readonly scattered?: boolean;
};

export const HAPROXY_MISSING = 'HAProxy is not installed (apt-get install haproxy).';

/** Path of an installed program. Also searches the system folders that the PATH of a normal user omits. */
export const findProgram = async (name: string): Promise<string | null> => {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/sbin', '/usr/sbin'];
  for (const file of folders.filter(Boolean).map((folder) => path.join(folder, name))) {
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
};

/** Null when HAProxy is not installed. */
export const startBalancer = async (start: BalancerStart): Promise<Balancer | null> => {
  const program = await findProgram('haproxy');
  return program === null ? null : startHaproxy(start, program);
};
