// What stands in front of several servers: one address, and for each server whether it is in and what it was given.

import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { startHaproxy } from './haproxy.ts';
import { startOwnBalancer } from './own-balancer.ts';

/** One server as the balancer sees it. */
export type Place = { readonly port: number; readonly isIn: boolean; readonly requests: number };

export type Balancer = {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  look(): Promise<readonly Place[]>;
  stop(): Promise<void>;
};

export type BalancerStart = {
  readonly port: number;
  /** Of the servers, on this machine. */
  readonly serverPorts: readonly number[];
  /** For its own files. */
  readonly folder: string;
  /** Writes to whoever has least to do, too: to measure what keeping them together is worth. */
  readonly scattered?: boolean;
};

/** Where a program is that was installed for everybody, also for those whose PATH leaves such folders out. */
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

/** HAProxy where it is installed, else the small one of our own. */
export const startBalancer = async (start: BalancerStart, options: { own?: boolean } = {}): Promise<Balancer> => {
  const program = options.own ? null : await findProgram('haproxy');
  return program === null ? startOwnBalancer(start) : startHaproxy(start, program);
};
