// Makes the package `holdfast`: the command line and the server as plain JavaScript, with migrations, console, documentation, files for
// a deployment and the exact versions of all dependencies. It keeps the folders of the checkout. Run: node tools/packages/build-holdfast.ts

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Lock, type LockEntry, neededOf } from './locked-tree.ts';
import { SBOM_FILE, sbomOf, shrinkwrapOf } from './sbom.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The parts whose code is in the package. The console is in it as its built page. */
const PARTS = ['contract', 'sandbox', 'sdk', 'server', 'cli'] as const;
/** What goes along as it is. */
const COPIED = [
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'docs', 'deploy', 'server/src/commit/migrations'],
  // The style and the scripts of the documentation, and the examples of the API reference.
  ...['contract/src/look', 'server/src/http/docs/browser', 'server/src/http/reference/examples'],
];
/** The page is served from the package; this file of its build says from which sources, and where they were. */
const STAMP = 'console/dist/built.json';

type Manifest = LockEntry & { readonly name: string; readonly version: string };

const readJson = <T>(file: string): T => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as T;
const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const run = (args: readonly string[]): void => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed:\n${stdout}${stderr}`);
};

const settingsFor = (out: string) => ({
  extends: path.join(ROOT, 'tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    rewriteRelativeImportExtensions: true,
    // `npm run check` has checked the types.
    noCheck: true,
    types: [],
    rootDir: ROOT,
    outDir: out,
  },
  include: PARTS.map((part) => path.join(ROOT, part, 'src/**/*.ts')),
});

const compile = (out: string): void => {
  const config = path.join(out, 'tsconfig.json');
  writeJson(config, settingsFor(out));
  run([path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config]);
  rmSync(config);
};

/** The workspaces of the checkout are folders of the package. */
const placeOf = (name: string): string => {
  const [, part, file] = /^@holdfast\/([a-z]+)(?:\/(.+))?$/.exec(name) ?? [];
  return `${part}/src/${(file ?? 'index.ts').replace(/\.ts$/, '.js')}`;
};

/** The compiler changes relative imports. Here are imports of other parts, and files that are named for a thread or a process. */
export const withPackagePaths = (code: string, file: string): string =>
  code
    .replace(/(from |import\()'(@holdfast\/[^']+)'/g, (_all, before: string, name: string) => {
      const relative = path.posix.relative(path.posix.dirname(file), placeOf(name));
      return `${before}'${relative.startsWith('.') ? relative : `./${relative}`}'`;
    })
    .replace(/(new URL\('[^']+)\.ts', import\.meta\.url\)/g, "$1.js', import.meta.url)")
    .replace(/(await import\('\.[^']+)\.ts'\)/g, "$1.js')");

const rewrite = (out: string): void => {
  cpSync(path.join(ROOT, 'cli/bin'), path.join(out, 'cli/bin'), { recursive: true });
  for (const file of globSync('*/{src,bin}/**/*.js', { cwd: out })) {
    writeFileSync(path.join(out, file), withPackagePaths(readFileSync(path.join(out, file), 'utf8'), file));
  }
};

const copyConsole = (out: string, version: string): void => {
  run([path.join(ROOT, 'console/build.ts'), '--when-stale']);
  cpSync(path.join(ROOT, 'console/dist'), path.join(out, 'console/dist'), { recursive: true });
  writeJson(path.join(out, STAMP), { version });
};

const withoutOwn = (list: Readonly<Record<string, string>> = {}): [string, string][] =>
  Object.entries(list).filter(([name]) => !name.startsWith('@holdfast/'));

const sorted = (entries: readonly [string, string][]): Record<string, string> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

const manifestOf = () => {
  const root = readJson<Manifest & { license: string; description: string }>('package.json');
  const parts = PARTS.map((part) => readJson<Manifest>(`${part}/package.json`));
  return {
    name: 'holdfast',
    version: root.version,
    description: root.description,
    license: root.license,
    type: 'module',
    bin: { holdfast: 'cli/bin/holdfast.js' },
    // For the start alone: it hands over to the Node.js of the dependencies.
    engines: { node: '>=20' },
    os: ['darwin', 'linux'],
    dependencies: sorted(parts.flatMap(({ dependencies }) => withoutOwn(dependencies))),
    optionalDependencies: sorted(
      [root, ...parts].flatMap(({ optionalDependencies }) => withoutOwn(optionalDependencies)),
    ),
  };
};

/** The libraries of the console's page are inside its scripts. */
const bundledInConsole = (): [string, string][] => {
  const code = globSync('console/src/**/*.{ts,tsx}', { cwd: ROOT }).map((file) =>
    readFileSync(path.join(ROOT, file), 'utf8'),
  );
  const { devDependencies } = readJson<{ devDependencies: Record<string, string> }>('console/package.json');
  return Object.entries(devDependencies).filter(([name]) =>
    code.some((text) => text.includes(`from '${name}'`) || text.includes(`from '${name}/`)),
  );
};

/** The names of all packages whose code is in the page of the console. */
export const consoleLibraries = (): string[] => {
  const needed = neededOf(readJson<Lock>('package-lock.json'), {
    dependencies: Object.fromEntries(bundledInConsole()),
  });
  return Object.keys(needed).map((place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length));
};

/** Builds into a folder, which is emptied first. */
export const buildHoldfast = (out: string): void => {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  compile(out);
  rewrite(out);
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(out, name), { recursive: true });
  const manifest = manifestOf();
  copyConsole(out, manifest.version);
  writeJson(path.join(out, 'package.json'), manifest);
  const lock = readJson<Lock>('package-lock.json');
  writeJson(path.join(out, 'npm-shrinkwrap.json'), shrinkwrapOf(manifest, lock));
  const shipped = sorted([...Object.entries(manifest.dependencies), ...bundledInConsole()]);
  writeJson(path.join(out, SBOM_FILE), sbomOf({ ...manifest, dependencies: shipped }, lock));
};

if (import.meta.main) buildHoldfast(path.join(ROOT, 'dist/holdfast'));
