// The ledger library in one file instead of 560: a process that loads it took 0.3 to 0.45 s of CPU and takes 0.06 s. It is
// the same code, packed by the console's builder. The tests start some three hundred processes that load it; one story
// (tests/stories) starts its programs without.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const LIBRARY = '@stellar/stellar-sdk';

/** What NODE_OPTIONS has to say, in this process's children and in theirs. */
export async function packLibrary(folder: string): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve(LIBRARY));
  const about = await readFile(path.resolve(entry, '../../../package.json'), 'utf8');
  const packed = path.join(folder, `packed-${createHash('sha256').update(about).digest('hex').slice(0, 16)}`);
  if (!existsSync(packed)) await pack(entry, packed);
  return `--import=${pathToFileURL(path.join(packed, 'use.mjs')).href}`;
}

async function pack(entry: string, packed: string): Promise<void> {
  const half = `${packed}.${process.pid}`;
  await build({
    ...{ configFile: false, logLevel: 'warn', root: path.dirname(entry), publicDir: false },
    ssr: { noExternal: true },
    build: { ssr: entry, outDir: half, emptyOutDir: true, minify: false, target: 'node26' },
  });
  const library = pathToFileURL(path.join(packed, 'index.js')).href;
  // An older Node has no such hook, and loads the many files.
  await writeFile(
    path.join(half, 'use.mjs'),
    `import * as modules from 'node:module';
modules.registerHooks?.({
  resolve: (name, context, next) =>
    name === ${JSON.stringify(LIBRARY)} ? { url: ${JSON.stringify(library)}, format: 'module', shortCircuit: true } : next(name, context),
});
`,
  );
  // Whoever else packed it meanwhile packed the same.
  await rename(half, packed).catch(() => rm(half, { recursive: true, force: true }));
}
