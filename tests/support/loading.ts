// How the programs of the tests load what they run: every server, tool and worker loads the server. Modules are kept compiled, and
// the libraries of many files (1,290 of the 2,000 that a server loads) are five, the same code packed by the console's builder.
// One story (tests/stories/quick-start.test.ts) runs without the packed libraries.

import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';

/** What the server imports of the libraries with the most files. What one library shares between its entries stays shared. */
const PACKED = ['@stellar/stellar-sdk', 'typebox', 'typebox/compile', 'typebox/format', 'jose'];
const ROOT = path.resolve(import.meta.dirname, '../..');
const SERVER = ['compose.ts', 'providers/sandbox-server.ts', 'postgres/embedded.ts'].map((name) =>
  import.meta.resolve(`../../server/src/${name}`),
);

/** What the environment of the tests and of all they start has to say. `folder` is kept for the next run. */
export async function prepareLoading(folder: string): Promise<Record<string, string>> {
  const lock = await readFile(path.join(ROOT, 'package-lock.json'), 'utf8');
  const packed = path.join(folder, `packed-${hash('sha256', lock + hooks()).slice(0, 16)}`);
  const isNew = !existsSync(packed);
  if (isNew) await pack(packed);
  const use = pathToFileURL(path.join(packed, 'use.mjs')).href;
  const given = process.env.NODE_OPTIONS ?? '';
  const environment = { NODE_COMPILE_CACHE: folder, NODE_OPTIONS: `${given} --import=${use}`.trim() };
  if (isNew) await compileServer(environment);
  return environment;
}

async function pack(packed: string): Promise<void> {
  const half = `${packed}.${process.pid}`;
  const entries = PACKED.map((name, at) => [`library-${at}`, fileURLToPath(import.meta.resolve(name))]);
  await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      rollupOptions: { input: Object.fromEntries(entries) },
      outDir: half,
      emptyOutDir: true,
      minify: false,
      target: 'node26',
    },
  });
  await writeFile(path.join(half, 'use.mjs'), hooks());
  // Another process that packed at the same time packed the same content.
  await rename(half, packed).catch(() => rm(half, { recursive: true, force: true }));
}

/** Tells Node where a module is. Of a file of ours Node would look at every folder above it. An older Node has no such hook. */
const hooks = (): string => `import * as modules from 'node:module';
const FILES = ${JSON.stringify(PACKED.map((name, at) => [name, `library-${at}.js`]))};
const PACKED = new Map(FILES.map(([name, file]) => [name, new URL(file, import.meta.url).href]));
const OURS = ${JSON.stringify(`${pathToFileURL(ROOT).href}/`)};
const CONTRACT = '@holdfast/contract/';
const urlOf = (name, parent) => {
  if (!name.endsWith('.ts') || !parent?.startsWith(OURS)) return undefined;
  if (name.startsWith('.')) return new URL(name, parent).href;
  return name.startsWith(CONTRACT) ? OURS + 'contract/src/' + name.slice(CONTRACT.length) : undefined;
};
modules.registerHooks?.({
  resolve(name, context, next) {
    const packed = PACKED.get(name);
    if (packed !== undefined) return { url: packed, format: 'module', shortCircuit: true };
    const ours = urlOf(name, context.parentURL);
    return ours === undefined ? next(name, context) : { url: ours, format: 'module-typescript', shortCircuit: true };
  },
});
`;

/** Once, before all processes do it at the same time: a process writes down what it compiled only when it ends. */
async function compileServer(environment: Record<string, string>): Promise<void> {
  const load = SERVER.map((url) => `await import(${JSON.stringify(url)});`).join('\n');
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', load], {
    env: { ...process.env, ...environment },
  });
}
