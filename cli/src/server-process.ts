// The server as a child process: starts it, waits until it is ready, and stops it cleanly. The server has its own process group, so
// that a Ctrl-C in the terminal reaches it once, through this program.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { failure } from './failures.ts';
import { HOME_FOLDER } from './profiles.ts';
import { entryPath } from './server-entry.ts';

export type ServerProcess = {
  readonly url: string;
  readonly sandboxUrl: string | null;
  /** Settles when the server has ended, after a stop or on its own. */
  readonly exited: Promise<number>;
  stop(): Promise<void>;
};

export type LogLine = { readonly level: string; readonly msg: string; readonly text: string };

const STOP_PATIENCE_MS = 20_000;
const END_WITH_PARENT = new URL('end-with-parent.ts', import.meta.url).href;

/** The two lines of the server's welcome that contain its addresses. */
const API = /^ {2}API\s+(\S+)\/api\/v1$/;
const SANDBOX = /^ {2}Sandbox\s+(\S+)\/control\/state/;
/** The last line of the welcome. The welcome may contain the master key, so only later lines are passed on. */
const WELCOME_END = /^ {2}Master key /;

const parseLog = (text: string): LogLine => {
  try {
    const { level, msg } = JSON.parse(text);
    return { level: String(level), msg: String(msg), text };
  } catch {
    return { level: 'info', msg: text, text };
  }
};

const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });

const stopper = (child: ChildProcess, exited: Promise<number>) => async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await exited;
  clearTimeout(impatience);
};

export const startServer = async (how: {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  onLog(line: LogLine): void;
}): Promise<ServerProcess> => {
  // Standard input is a pipe that ends when this program ends, even when it is killed.
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, entryPath('main.ts')], {
    cwd: HOME_FOLDER,
    env: how.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'] as const,
  });
  const exited = endOf(child);
  const stop = stopper(child, exited);
  const onAbort = (): void => void stop();
  // However this program ends, it stops the server.
  process.on('exit', () => child.kill('SIGTERM'));
  how.signal.addEventListener('abort', onAbort, { once: true });
  createInterface({ input: child.stdout! }).on('line', (text) => how.onLog(parseLog(text)));

  const said: string[] = [];
  let url: string | null = null;
  let sandboxUrl: string | null = null;
  let isReady = false;
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      url ??= API.exec(line)?.[1] ?? null;
      sandboxUrl ??= SANDBOX.exec(line)?.[1] ?? null;
      if (url === null && line !== '' && line !== 'Holdfast is ready.') said.push(line);
      if (isReady && line.trim() !== '') how.onLog({ level: 'error', msg: line, text: line });
      isReady ||= WELCOME_END.test(line);
      if (isReady) resolve();
    });
  });
  await Promise.race([ready, exited]);
  how.signal.removeEventListener('abort', onAbort);
  how.signal.throwIfAborted();
  if (url === null) throw failure(said.join('\n') || 'The server stopped before it was ready.');
  return { url, sandboxUrl, exited, stop };
};
