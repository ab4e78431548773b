// Makes the package that is published: sdk/dist with JavaScript, types, the page for the registry, and a package.json of
// its own. It must never put anything in that a user does not need. Run: node tools/packages/build-sdk.ts

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SDK = path.join(ROOT, 'sdk');
/** What goes along as it is, where the project has it. */
const PAPERS = [path.join(SDK, 'README.md'), path.join(ROOT, 'LICENSE')].filter((file) => existsSync(file));
/** Oldest Node.js that has all it needs; others are only known by what the platform offers. */
const ENGINES = { node: '>=20' };

const settings = (out: string) => ({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    // No types of Node.js: what is not in every runtime does not compile.
    lib: ['es2022', 'dom'],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: path.join(SDK, 'src'),
    outDir: out,
  },
  files: Object.values(entriesOf()).map((file) => path.join(SDK, file)),
});

const compile = (out: string): void => {
  const config = path.join(out, 'tsconfig.json');
  writeFileSync(config, JSON.stringify(settings(out)));
  const { status, stdout } = spawnSync(process.execPath, [compiler(), '-p', config], { encoding: 'utf8' });
  rmSync(config);
  if (status !== 0) throw new Error(`the SDK does not compile:\n${stdout}`);
};

const compiler = (): string => path.join(ROOT, 'node_modules/typescript/bin/tsc');

/** Types name the files that are there; a module of types alone needs no JavaScript. */
const tidy = (out: string): void => {
  for (const file of globSync('**/*.d.ts', { cwd: out })) {
    const types = path.join(out, file);
    writeFileSync(types, readFileSync(types, 'utf8').replace(/(from '\.[^']*)\.ts';/g, "$1.js';"));
    const code = types.replace(/\.d\.ts$/, '.js');
    if (/^export \{\};\s*$/m.test(readFileSync(code, 'utf8'))) rmSync(code);
  }
};

/** What a program imports, and where its source is. */
const entriesOf = (): Record<string, string> =>
  JSON.parse(readFileSync(path.join(SDK, 'package.json'), 'utf8')).exports;

/** The same names, and where they are in the package. */
const exportsOf = (): object =>
  Object.fromEntries(
    Object.entries(entriesOf()).map(([name, file]) => {
      const built = file.replace('./src/', './').replace(/\.ts$/, '');
      return [name, { types: `${built}.d.ts`, default: `${built}.js` }];
    }),
  );

const packageOf = (): object => {
  const { name, version, license, description, type } = JSON.parse(
    readFileSync(path.join(SDK, 'package.json'), 'utf8'),
  );
  return { name, version, license, description, type, sideEffects: false, engines: ENGINES, exports: exportsOf() };
};

/** Builds into a folder, which is emptied first. */
export const buildSdk = (out: string): void => {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  compile(out);
  tidy(out);
  writeFileSync(path.join(out, 'package.json'), `${JSON.stringify(packageOf(), null, 2)}\n`);
  for (const paper of PAPERS) cpSync(paper, path.join(out, path.basename(paper)));
};

if (import.meta.main) {
  buildSdk(path.join(SDK, 'dist'));
  console.log('The SDK is in sdk/dist. `npm pack ./sdk/dist` makes the file to install.');
}
