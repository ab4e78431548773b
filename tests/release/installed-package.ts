// The package `holdfast` as its users get it: built, packed, and installed in an empty folder outside the checkout, with another home
// and without the programs of the checkout in the path.

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { buildHoldfast } from '../../tools/packages/build-holdfast.ts';
import { packFolder } from '../../tools/release/pack.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';

export type Ran = { readonly code: number; readonly out: string; readonly said: string };

export type Installed = {
  /** The unpacked files, before they were packed. */
  readonly built: string;
  readonly tarball: string;
  /** The empty folder in which it was installed. */
  readonly folder: string;
  readonly installed: string;
  npx(args: readonly string[]): Promise<Ran>;
};

/** Programs of the system first, and the Node.js of the tests where the system has none. */
const pathOutside = (): string =>
  [
    ...(process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules')),
    path.dirname(process.execPath),
  ].join(path.delimiter);

/** Only what a shell of another user would have. The folder of npm's downloads stays, so that nothing is fetched twice. */
const outsideEnvironment = (home: string): Record<string, string> => ({
  PATH: pathOutside(),
  HOME: home,
  LANG: 'C.UTF-8',
  npm_config_cache: execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim(),
  npm_config_update_notifier: 'false',
  npm_config_loglevel: 'error',
});

const run = (program: string, { args, cwd, env }: { args: readonly string[]; cwd: string; env: NodeJS.ProcessEnv }) =>
  new Promise<Ran>((resolve) => {
    execFile(program, args, { cwd, env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, out: stdout, said: stdout + stderr });
    });
  });

/** PostgreSQL may run as another user, who has to be able to enter the folder. */
export const openFolder = (): string => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-package-'));
  execFileSync('chmod', ['0711', folder]);
  return folder;
};

export const installPackage = async (place: string): Promise<Installed> => {
  const built = path.join(place, 'built');
  buildHoldfast(built);
  const tarball = packFolder(built, place);
  const folder = path.join(place, 'shop');
  const home = path.join(place, 'home');
  for (const each of [folder, home]) mkdirSync(each);
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "shop", "private": true }');
  const env = outsideEnvironment(home);
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball];
  const { code, said } = await run('npm', { args, cwd: folder, env });
  assert.equal(code, 0, said);
  const npx = (given: readonly string[]) =>
    run('npx', { args: ['--no-install', 'holdfast', ...given], cwd: folder, env });
  return { built, tarball, folder, installed: path.join(folder, 'node_modules/holdfast'), npx };
};

export type Running = { readonly child: ChildProcess; said(): string; stop(): Promise<number | null> };

/** Starts the tool in the folder and waits until it says this. */
export const startTool = async (
  t: TestContext,
  {
    folder,
    args,
    ready,
    env = {},
  }: { folder: string; args: readonly string[]; ready: RegExp; env?: Record<string, string> },
): Promise<Running> => {
  const home = path.join(path.dirname(folder), 'home');
  const child = spawn(path.join(folder, 'node_modules/.bin/holdfast'), args, {
    cwd: folder,
    env: { ...outsideEnvironment(home), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const stop = (): Promise<number | null> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    return ended;
  };
  afterwards(t, stop);
  await until(() => ready.test(text) || child.exitCode !== null, { what: `${ready}`, deadlineMs: 120_000 });
  assert.match(text, ready);
  return { child, said: () => text, stop };
};

export const readJson = <T>(...parts: string[]): T => JSON.parse(readFileSync(path.join(...parts), 'utf8')) as T;
