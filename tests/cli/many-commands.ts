// The process that runs one command of the tool after the other: main.ts is evaluated anew for each, with arguments and an
// environment of its own. A command is over when nothing of it is open any more, as it would be in a process of its own, which
// took 0.24 s of CPU for each command, almost all of it to load. shared-tool.ts starts this process.

import type { Command, Result } from './shared-tool.ts';

const MAIN = new URL('../../cli/src/main.ts', import.meta.url).href;

const LOOK_MS = 2;

let count = 0;

const setEnvironment = (env: Record<string, string>): void => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
};

/** What keeps the process running. */
const countOpen = (): number => process.getActiveResourcesInfo().length;

const runCommand = async ({ args, env, folder }: Command): Promise<Result> => {
  const written = { out: '', err: '' };
  process.stdout.write = (text) => {
    written.out += text;
    return true;
  };
  process.stderr.write = (text) => {
    written.err += text;
    return true;
  };
  process.chdir(folder);
  setEnvironment(env);
  process.argv.splice(2, Infinity, ...args);
  process.exitCode = 0;
  const openBefore = countOpen();
  await import(`${MAIN}?${++count}`);
  while (countOpen() > openBefore) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  // Each command listens once more.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  return { ...written, code: Number(process.exitCode) };
};

process.on('message', async (command: Command) => {
  process.send!(await runCommand(command));
});
