// The server under a service manager, at one address of its own, with no settings but those that a drill gives it.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { clusterFolder } from '../../server/src/postgres/cluster.ts';
import { stopOrphan } from '../../server/src/postgres/postmaster.ts';
import { type Program, runProgram } from './program.ts';
import type { Stage } from './stage.ts';

export type Service = Program & {
  readonly url: string;
  readonly dataDir: string;
  readonly masterKey: string;
};

type Ask = {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** Of another version. */
  readonly main?: string;
};

const MAIN = path.resolve(import.meta.dirname, '../../server/src/main.ts');
const MASTER_KEY = 'master_of-the-drills-0123456789abcdef';

// Below the ports that the operating system gives to outgoing connections: one of those may take the port before the server does.
const PORTS = { from: 12_000, to: 32_000 };
const TRIES = 50;

/** A port that is free now. It is a random one, because drills and tests choose ports side by side. */
export const freePort = async (): Promise<number> => {
  for (let tries = 1; ; tries++) {
    const port = randomInt(PORTS.from, PORTS.to);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch (error) {
      if (tries === TRIES) throw error;
      continue;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
};

/** The PostgreSQL that a server started in its data folder; null when there is none. */
export const postgresPid = async (dataDir: string): Promise<number | null> => {
  const text = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || null;
};

export const runService = async (stage: Stage, { dataDir, env = {}, ...ask }: Ask): Promise<Service> => {
  const port = ask.port ?? (await freePort());
  // One that a killed server left running: a drill leaves nothing behind.
  stage.afterwards(() => stopOrphan(clusterFolder(dataDir), () => {}));
  const program = await runProgram(stage, {
    name: 'server',
    file: ask.main ?? MAIN,
    folder: dataDir,
    readyWord: /Holdfast is ready/,
    env: {
      SANDBOX: 'off',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_MAX: '1000000',
      MASTER_KEY,
      DATA_DIR: dataDir,
      PORT: String(port),
      ...env,
    },
  });
  await program.ready();
  return { ...program, url: `http://127.0.0.1:${port}`, dataDir, masterKey: MASTER_KEY };
};
