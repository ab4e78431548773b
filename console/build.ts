// Builds the console into dist: bundles, parses every script, compresses, prints the sizes, and fails above the size
// budget. With `--when-stale` it skips the build if the sources have not changed. The old build stays until the new one is
// complete.

import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib';

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '..');
const DIST = path.join(HERE, 'dist');
const STAMP = 'built.json';
const SOURCES = [
  'console/{src,public}/**',
  'console/*.{ts,json,html}',
  'sdk/src/**',
  'contract/src/**',
  'package-lock.json',
];
const KIB = 1024;

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] };
type Budget = { firstLoadGzipKiB: number; totalScriptGzipKiB: number };

const sourcesHash = async (): Promise<string> => {
  const found = await Array.fromAsync(glob(SOURCES, { cwd: ROOT, withFileTypes: true }));
  const files = found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.sort().map(async (file) => `${file}\n${await readFile(file, 'utf8')}`));
  return hash('sha256', texts.join('\n'));
};

const builtHash = async (): Promise<string | null> => {
  const text = await readFile(path.join(DIST, STAMP), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as { sources: string }).sources;
};

const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
};

const compress = async (folder: string): Promise<void> => {
  const texts = (await filesBelow(folder)).filter((file) => /\.(js|css|html|svg)$/.test(file));
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  for (const file of texts) {
    const plain = await readFile(file);
    await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }));
    await writeFile(`${file}.br`, await promisify(brotliCompress)(plain, brotliOptions));
  }
};

/** The files of the first load: the page, the entry, their static imports, and their styles. */
const firstLoadOf = (manifest: Record<string, Chunk>): Set<string> => {
  const wanted = new Set(['index.html']);
  const visit = (chunk: Chunk): void => {
    if (wanted.has(chunk.file)) return;
    wanted.add(chunk.file);
    for (const style of chunk.css ?? []) wanted.add(style);
    for (const name of chunk.imports ?? []) visit(manifest[name]!);
  };
  for (const chunk of Object.values(manifest)) if (chunk.isEntry) visit(chunk);
  return wanted;
};

const measure = async (folder: string): Promise<{ firstLoad: number; scripts: number }> => {
  const manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const first = firstLoadOf(manifest);
  let firstLoad = 0;
  let scripts = 0;
  for (const file of await filesBelow(folder)) {
    const name = path.relative(folder, file).replaceAll(path.sep, '/');
    if (!/\.(js|css|html)$/.test(name)) continue;
    const bytes = gzipSync(await readFile(file), { level: 9 }).length;
    if (first.has(name)) firstLoad += bytes;
    if (name.endsWith('.js')) scripts += bytes;
  }
  return { firstLoad, scripts };
};

const parseScripts = (folder: string): void => {
  const script = path.join(HERE, 'parse-scripts.ts');
  const flags = ['--experimental-vm-modules', '--no-warnings'];
  const { status, stderr } = spawnSync(process.execPath, [...flags, script, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The bundler wrote scripts that do not parse:\n${stderr}`);
};

const inKiB = (bytes: number): string => `${Math.ceil(bytes / KIB)} KiB`;

/** An interrupted build leaves its folder behind. */
const clearLeftovers = async (): Promise<void> => {
  for (const name of await readdir(HERE)) {
    const pid = /^\.(?:build|old)-(\d+)$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) await rm(path.join(HERE, name), { recursive: true, force: true });
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const build = async (sources: string): Promise<string> => {
  await clearLeftovers();
  const fresh = path.join(HERE, `.build-${process.pid}`);
  try {
    const { build: bundle } = await import('vite');
    await bundle({ root: HERE, logLevel: 'warn', build: { outDir: fresh } });
    parseScripts(fresh);
    const { firstLoad, scripts } = await measure(fresh);
    const budget = JSON.parse(await readFile(path.join(HERE, 'budget.json'), 'utf8')) as Budget;
    const sizes =
      `first load ${inKiB(firstLoad)} of ${budget.firstLoadGzipKiB} KiB, ` +
      `all scripts ${inKiB(scripts)} of ${budget.totalScriptGzipKiB} KiB (gzip)`;
    if (firstLoad > budget.firstLoadGzipKiB * KIB || scripts > budget.totalScriptGzipKiB * KIB) {
      throw new Error(`The console is larger than its budget: ${sizes}.`);
    }
    await compress(fresh);
    await rm(path.join(fresh, '.vite'), { recursive: true });
    await writeFile(path.join(fresh, STAMP), JSON.stringify({ sources, firstLoad, scripts }));
    await replace(fresh);
    return sizes;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
};

const replace = async (fresh: string): Promise<void> => {
  const old = path.join(HERE, `.old-${process.pid}`);
  if (existsSync(DIST)) await rename(DIST, old);
  await rename(fresh, DIST);
  await rm(old, { recursive: true, force: true });
};

const sources = await sourcesHash();
if (process.argv.includes('--when-stale') && (await builtHash()) === sources) {
  console.log('console: unchanged since its last build');
} else {
  const startedMs = performance.now();
  console.log('console: its sources have changed, building it');
  const sizes = await build(sources);
  console.log(`console: built in ${((performance.now() - startedMs) / 1_000).toPrecision(2)} s; ${sizes}`);
}
