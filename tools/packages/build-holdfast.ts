// Makes the package `holdfast`: the command line and the server as plain JavaScript, with migrations, console, documentation, files for
// a deployment and the exact versions of all dependencies. It keeps the folders of the checkout. Run: node tools/packages/build-holdfast.ts

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Lock, type LockEntry, neededOf } from './locked-tree.ts';
import { SBOM_FILE, type Sbom, sbomOf, shrinkwrapOf } from './sbom.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The parts whose code is in the package. The console is in it as its built page. */
const PARTS = ['contract', 'sandbox', 'sdk', 'server', 'cli'] as const;
/** What goes along as it is. */
const COPIED = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'docs', 'deploy', 'cli/bin'];
/** A hidden file is never part of the package: deploy/.env has the secrets of a deployment. */
export const isCopied = (file: string): boolean => !path.basename(file).startsWith('.');
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

const relativeTo = (file: string, name: string): string => {
  const relative = path.posix.relative(path.posix.dirname(file), placeOf(name));
  return relative.startsWith('.') ? relative : `./${relative}`;
};

/** The compiler changes relative imports. Here are files of other parts, and files that are named for a thread or a process. */
export const withPackagePaths = (code: string, file: string): string =>
  code
    .replace(/'(@holdfast\/[a-z]+\/[^']+\.(?:ts|css|js))'/g, (_all, name: string) => `'${relativeTo(file, name)}'`)
    // Elsewhere the name of the SDK is part of an example for its users.
    .replace(/^(import .* from )'(@holdfast\/sdk)';$/gm, (_all, before: string, name: string) =>
      file.startsWith('cli/') ? `${before}'${relativeTo(file, name)}';` : `${before}'${name}';`,
    )
    .replace(/(new URL\('[^']+)\.ts', import\.meta\.url\)/g, "$1.js', import.meta.url)")
    .replace(/(await import\('\.[^']+)\.ts'\)/g, "$1.js')");

/** Migrations, styles and scripts that the server sends as they are. */
const isNoSource = (file: string): boolean => !file.endsWith('.ts');

const rewrite = (out: string): void => {
  for (const part of PARTS) {
    for (const file of globSync(`${part}/src/**/*.*`, { cwd: ROOT }).filter(isNoSource)) {
      cpSync(path.join(ROOT, file), path.join(out, file));
    }
  }
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

/** The list of everything that the package brings along: what npm installs, and what is inside the page of the console. */
export const shippedSbom = (): Sbom => {
  const manifest = manifestOf();
  const dependencies = sorted([...Object.entries(manifest.dependencies), ...bundledInConsole()]);
  return sbomOf({ ...manifest, dependencies }, readJson<Lock>('package-lock.json'));
};

/** Builds into a folder, which is emptied first. */
export const buildHoldfast = (out: string): void => {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  compile(out);
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(out, name), { recursive: true, filter: isCopied });
  rewrite(out);
  const manifest = manifestOf();
  copyConsole(out, manifest.version);
  writeJson(path.join(out, 'package.json'), manifest);
  writeJson(path.join(out, 'npm-shrinkwrap.json'), shrinkwrapOf(manifest, readJson<Lock>('package-lock.json')));
  writeJson(path.join(out, SBOM_FILE), shippedSbom());
};

if (import.meta.main) {
  buildHoldfast(path.join(ROOT, 'dist/holdfast'));
  console.log('The package is in dist/holdfast. `npm pack ./dist/holdfast` makes the file to install.');
}
