// `dev`: everything for development against Holdfast, in one terminal. The server, its PostgreSQL and the sandbox run as a child
// process. The server stores a key for later commands in the data folder. Events are shown as they happen.

import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Holdfast, type StreamState } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define, wholeNumber } from '../define.ts';
import { sayStates } from '../event-choice.ts';
import { EXIT, type ExitCode, failure } from '../failures.ts';
import { dataFolder, devKeyFile, keptMasterKey, readProfile } from '../profiles.ts';
import { action, isInterruption, type Run } from '../run.ts';
import { type LogLine, type ServerProcess, startServer } from '../server-process.ts';
import { eventLine } from '../view/event-line.ts';
import type { Out } from '../view/out.ts';
import { harmless } from '../view/paint.ts';

type DevOptions = {
  readonly data?: string;
  readonly port?: number;
  readonly sandboxPort?: number;
  readonly logs?: boolean;
  readonly marketplace?: string;
};

type Access = {
  readonly client: Holdfast;
  /** Null when the server has no development key. */
  readonly key: string | null;
};

/** Uses the development key that the server stores. A server without a development key is read with its master key. */
const openClient = async (
  { url }: ServerProcess,
  { folder, marketplaceId }: { folder: string; marketplaceId: string | undefined },
): Promise<Access> => {
  const kept = await readProfile(devKeyFile(folder));
  if (kept?.url === url) return { client: new Holdfast({ url, apiKey: kept.key }), key: kept.key };
  const apiKey = process.env.MASTER_KEY || (await keptMasterKey(folder));
  if (!apiKey)
    throw failure(`There is no master key in ${folder}. Set MASTER_KEY to the key that the server was started with.`);
  return { client: new Holdfast({ url, apiKey, ...(marketplaceId ? { marketplaceId } : {}) }), key: null };
};

const LOUD = ['warn', 'error', 'fatal'];

/** The server's log: warnings and errors go to the screen, all lines to a file once the folder is known to be this server's. */
const keepLog = ({ out, signal }: Run<DevOptions>, { folder, all }: { folder: string; all: boolean }) => {
  let early: string[] = [];
  let file: WriteStream | null = null;
  return {
    take({ level, msg, text }: LogLine): void {
      if (file) file.write(`${text}\n`);
      else early.push(`${text}\n`);
      // Warnings while the server stops, such as ended connections, are expected.
      if (!all && (signal.aborted || !LOUD.includes(level))) return;
      out.note((level === 'info' ? out.notePaint.dim : out.notePaint.yellow)(`server ${level}: ${harmless(msg)}`));
    },
    open(): void {
      const name = join(folder, 'dev.log');
      file = createWriteStream(name, { mode: 0o600, flags: 'a' });
      file.on('error', (error: NodeJS.ErrnoException) =>
        out.note(out.notePaint.yellow(`The log is not stored: ${name} cannot be written (${error.code}).`)),
      );
      file.write(early.join(''));
      early = [];
    },
  };
};

/** How other commands find the key. */
const finderOf = (folder: string): string =>
  folder === dataFolder(process.env)
    ? 'other commands find it automatically'
    : `other commands find it with DATA_DIR=${folder}`;

/** `before` is the stored key at the start of the server. */
const keyLine = ({ folder, key, before }: { folder: string; key: string | null; before: string | null }): string => {
  if (key === null)
    return 'none: a server stores a key only with the sandbox, and only while no other machine can reach it';
  return `${devKeyFile(folder)} (${key === before ? 'unchanged' : 'new'}; ${finderOf(folder)})`;
};

const welcome = (out: Out, { server, folder, key }: { server: ServerProcess; folder: string; key: string }): void => {
  const { bold, dim, green } = out.notePaint;
  const rows = [
    ['API', `${server.url}/api/v1`],
    ['Console', `${server.url}/console`],
    ['Docs', `${server.url}/docs`],
    ['Reference', `${server.url}/docs/reference/`],
    ['Sandbox', server.sandboxUrl === null ? 'off' : `${server.sandboxUrl}/control/state`],
    ['Data', folder],
    ['Key', key],
  ] as const;
  out.note(green('Holdfast is ready.'));
  for (const [name, value] of rows) out.note(`  ${bold(name.padEnd(10))} ${value}`);
  out.note(dim('\nTry in another terminal: npx holdfast orders run --amount 20.00 --release'));
  out.note(dim('Events appear below. Ctrl-C stops everything.\n'));
};

/** Reports at once that a server is already running. */
const refuseSecond = async (port: number): Promise<void> => {
  const url = `http://127.0.0.1:${port}`;
  const isThere = await new Holdfast({ url, maxRetries: 0, timeoutMs: 2_000 }).service.health().then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  throw failure(
    `A Holdfast server already runs at ${url}. Use it, or start another one with --port, --sandbox-port and --data.`,
  );
};

/** The server's message names settings; the CLI names its options. */
const explain = (error: unknown): unknown => {
  const isPort = error instanceof Error && error.message.startsWith('Port ');
  return isPort ? failure(`${error.message} Use --port and --sandbox-port.`) : error;
};

type Watched = {
  readonly client: Holdfast;
  /** From now on no event is missed. */
  onLive(): void;
  isOver(): boolean;
};

const watch = async ({ out, signal }: Pick<Run<DevOptions>, 'out' | 'signal'>, { client, onLive, isOver }: Watched) => {
  const say = sayStates(out);
  let wasLive = false;
  const onState = (state: StreamState): void => {
    say(state);
    if (state.state !== 'live' || wasLive) return;
    wasLive = true;
    onLive();
  };
  try {
    for await (const event of client.events({ signal, onState })) {
      if (out.isJson) out.jsonLine(event);
      else out.line(eventLine(event, out));
    }
  } catch (error) {
    if (!isInterruption(error) && !isOver()) throw error;
  }
};

const develop = async (run: Run<DevOptions>): Promise<ExitCode> => {
  const { out, options, signal } = run;
  const folder = options.data === undefined ? dataFolder(process.env) : resolve(options.data);
  // PostgreSQL may run as another user, who must be able to enter the folder.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const port = options.port ?? Number(process.env.PORT || 4_000);
  if (port !== 0) await refuseSecond(port);
  out.note('Starting…');
  const before = (await readProfile(devKeyFile(folder)))?.key ?? null;
  const log = keepLog(run, { folder, all: options.logs === true });
  const server = await startServer({
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(port),
      ...(options.sandboxPort === undefined ? {} : { SANDBOX_PORT: String(options.sandboxPort) }),
      ...(options.marketplace === undefined ? {} : { DEV_KEY_MARKETPLACE: options.marketplace }),
    },
    signal,
    onLog: log.take,
  }).catch((error) => {
    throw explain(error);
  });
  log.open();
  const ending = new AbortController();
  void server.exited.then(() => ending.abort(new Error('The server stopped.')));
  const both = AbortSignal.any([signal, ending.signal]);
  try {
    const { client, key } = await openClient(server, { folder, marketplaceId: options.marketplace });
    const onLive = () => welcome(out, { server, folder, key: keyLine({ folder, key, before }) });
    await watch({ out, signal: both }, { client, onLive, isOver: () => ending.signal.aborted });
    if (!signal.aborted) throw failure(`The server stopped unexpectedly. See ${join(folder, 'dev.log')}.`);
    out.note('\nStopping: running requests are finished first.');
  } finally {
    await server.stop();
  }
  out.note('Stopped.');
  return EXIT.fine;
};

export const addDevCommand = (program: Command): void => {
  define(program, {
    name: 'dev',
    what: 'start the server with its database and the sandbox, and show events live',
    examples: ['holdfast dev', 'holdfast dev --port 4100 --sandbox-port 4110 --data /tmp/shop'],
  })
    .option('--data <folder>', 'data folder (DATA_DIR; .data in the checkout)')
    .option('--port <port>', 'port of the server; 0 chooses a free port (PORT; 4000)', wholeNumber)
    .option('--sandbox-port <port>', 'port of the sandbox; 0 chooses a free port (SANDBOX_PORT; 4010)', wholeNumber)
    .option('--logs', 'also show all log lines of the server')
    .action(action<DevOptions>(develop));
};
