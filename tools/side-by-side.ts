// Runs programs at the same time and prints what each printed when it ends, so that no outputs are mixed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type Program = { readonly name: string; readonly file: string; readonly parameters: readonly string[] };

type Options = { readonly cwd: string; print(text: string): void };

/** The names of the programs that failed, in the order of the list. */
export async function runSideBySide(programs: readonly Program[], options: Options): Promise<string[]> {
  const failures = await Promise.all(programs.map((program) => isFailure(program, options)));
  return programs.filter((_, place) => failures[place]).map(({ name }) => name);
}

async function isFailure({ name, file, parameters }: Program, { cwd, print }: Options): Promise<boolean> {
  const child = spawn(file, parameters, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  try {
    const [code] = await once(child, 'close');
    const output = Buffer.concat(chunks).toString().trim();
    print(code === 0 ? `✔ ${name}` : `✖ ${name}\n${output}`);
    return code !== 0;
  } catch (error) {
    print(`✖ ${name}: ${file} does not start (${(error as Error).message})`);
    return true;
  }
}
