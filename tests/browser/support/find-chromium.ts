// Finds a Chromium for the browser tests: CHROMIUM_PATH, otherwise the packaged one on Linux x64, otherwise an
// installed one. Run as a program it prints the path, and exits with 1 when there is none.

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Chromium, unpackChromium } from './packaged-chromium.ts';

export type Found =
  | { readonly ok: true; readonly chromium: Chromium }
  /** The reason names the command that installs a Chromium. */
  | { readonly ok: false; readonly reason: string };

export type Machine = {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the program starts. */
  starts(chromium: Chromium): boolean;
  packaged(): Promise<readonly Chromium[]>;
};

/** The headless shell first: the same engine with a fifth less CPU. */
const COMMANDS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PROGRAMS = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
const PLAYWRIGHT = {
  linux: '.cache/ms-playwright/chromium*-*/chrome*-linux*/{chrome,headless_shell,chrome-headless-shell}',
  darwin: 'Library/Caches/ms-playwright/chromium-*/chrome-mac*/*.app/Contents/MacOS/*',
} as const;

const INSTALL = {
  linux: 'sudo apt-get install --yes chromium',
  darwin: 'brew install --cask google-chrome',
} as const;

const systemOf = (platform: NodeJS.Platform): 'linux' | 'darwin' => (platform === 'darwin' ? 'darwin' : 'linux');

const installCommand = (platform: NodeJS.Platform): string => INSTALL[systemOf(platform)];

/** The usual names, the most likely first. Names without a folder are searched in PATH. */
const installed = ({ platform, home }: Machine): Chromium[] => {
  const programs = platform === 'darwin' ? MAC_PROGRAMS.map((name) => path.join('/Applications', name)) : COMMANDS;
  const browsers = globSync(PLAYWRIGHT[systemOf(platform)], { cwd: home }).map((name) => path.join(home, name));
  return [...programs, ...browsers].map((executable) => ({ executable, env: {} }));
};

export const findChromium = async (machine: Machine): Promise<Found> => {
  const given = machine.env.CHROMIUM_PATH;
  if (given) {
    const chromium = { executable: given, env: {} };
    if (machine.starts(chromium)) return { ok: true, chromium };
    return { ok: false, reason: `CHROMIUM_PATH=${given} does not start. Name another one, or unset CHROMIUM_PATH.` };
  }
  const hasPackaged = machine.platform === 'linux' && machine.arch === 'x64';
  const choices = [...(hasPackaged ? await machine.packaged() : []), ...installed(machine)];
  const chromium = choices.find(machine.starts);
  if (chromium) return { ok: true, chromium };
  return { ok: false, reason: `no Chromium was found. Install one: ${installCommand(machine.platform)}` };
};

const starts = ({ executable, env }: Chromium): boolean =>
  spawnSync(executable, ['--version'], { env: { ...process.env, ...env } }).status === 0;

export const thisMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  home: os.homedir(),
  env: process.env,
  starts,
  packaged: unpackChromium,
});

if (import.meta.main) {
  const found = await findChromium(thisMachine());
  console.log(found.ok ? found.chromium.executable : found.reason);
  process.exitCode = found.ok ? 0 : 1;
}
