// How the programs of the tests load what they run: some three hundred processes load the server. Modules are kept compiled, and
// the ledger library is one file instead of 560, the same code packed by the console's builder. A process took 1.5 s of CPU to
// load without both and takes 0.6 s. One story (tests/stories/quick-start.test.ts) runs without the packed library.

import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';

const LIBRARY = '@stellar/stellar-sdk';
const SERVER = ['compose.ts', 'providers/sandbox-server.ts', 'postgres/embedded.ts'].map((name) =>
  import.meta.resolve(`../../server/src/${name}`),
);

/** What the environment of the tests and of all they start has to say. `folder` is kept for the next run. */
export async function prepareLoading(folder: string): Promise<Record<string, string>> {
  const entry = fileURLToPath(import.meta.resolve(LIBRARY));
  const about = await readFile(path.resolve(entry, '../../../package.json'), 'utf8');
  const packed = path.join(folder, `packed-${hash('sha256', about).slice(0, 16)}`);
  const isNew = !existsSync(packed);
  if (isNew) await pack(entry, packed);
  const use = pathToFileURL(path.join(packed, 'use.mjs')).href;
  const given = process.env.NODE_OPTIONS ?? '';
  const environment = { NODE_COMPILE_CACHE: folder, NODE_OPTIONS: `${given} --import=${use}`.trim() };
  if (isNew) await compileServer(environment);
  return environment;
}

async function pack(entry: string, packed: string): Promise<void> {
  const half = `${packed}.${process.pid}`;
  await build({
    configFile: false,
    logLevel: 'warn',
    root: path.dirname(entry),
    publicDir: false,
    ssr: { noExternal: true },
    build: { ssr: entry, outDir: half, emptyOutDir: true, minify: false, target: 'node26' },
  });
  // An older Node has no such hook, and loads the many files.
  await writeFile(
    path.join(half, 'use.mjs'),
    `import * as modules from 'node:module';
const LIBRARY = new URL('index.js', import.meta.url).href;
modules.registerHooks?.({
  resolve: (name, context, next) =>
    name === ${JSON.stringify(LIBRARY)} ? { url: LIBRARY, format: 'module', shortCircuit: true } : next(name, context),
});
`,
  );
  // Another process that packed at the same time packed the same content.
  await rename(half, packed).catch(() => rm(half, { recursive: true, force: true }));
}

/** Once, before all processes do it at the same time: a process writes down what it compiled only when it ends. */
async function compileServer(environment: Record<string, string>): Promise<void> {
  const load = SERVER.map((url) => `await import(${JSON.stringify(url)});`).join('\n');
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', load], {
    env: { ...process.env, ...environment },
  });
}
