// The process that runs one command of the tool after the other: main.ts is evaluated anew for each, with arguments and an
// environment of its own. shared-tool.ts starts it. A process for each command took 0.24 s of CPU, almost all of it to load.

import type { Command, Result } from './shared-tool.ts';

const MAIN = new URL('../../cli/src/main.ts', import.meta.url).href;

let count = 0;

const setEnvironment = (env: Record<string, string>): void => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
};

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
  await import(`${MAIN}?${++count}`);
  // Each command listens once more.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  return { ...written, code: Number(process.exitCode) };
};

process.on('message', async (command: Command) => {
  process.send!(await runCommand(command));
});
