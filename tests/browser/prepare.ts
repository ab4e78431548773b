// What the browser tests need before the first of them runs: the console built from its present sources, and a Chromium.
// The Chromium comes with the project's own install; CHROMIUM_PATH names another, where that one cannot run.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKAGE = '@sparticuz/chromium';

const FONTS = 'fonts/fonts.conf';

/** The package's own names folders of the host it is made for; a browser without any font ends at once. */
const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(folder, 'fonts/fonts')}</dir>
  <cachedir>${path.join(folder, 'fonts-cache')}</cachedir>
  <config></config>
</fontconfig>
`;

export type PreparedBrowser = {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
};

export const prepareBrowser = async (): Promise<PreparedBrowser> => {
  const built = spawnSync(process.execPath, ['console/build.ts', '--when-stale'], { cwd: ROOT, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`The console could not be built:\n${built.stdout}${built.stderr}`);
  process.stdout.write(built.stdout);
  const given = process.env.CHROMIUM_PATH;
  if (given) return { executable: given, env: {} };
  const folder = await unpack();
  await writeFile(path.join(folder, FONTS), fontsConf(folder));
  return startable(folder);
};

/** Once for each version: it is 190 MB and takes two seconds. */
const unpack = async (): Promise<string> => {
  const bin = path.join(path.dirname(createRequire(import.meta.url).resolve(PACKAGE)), '../bin');
  const { version } = JSON.parse(await readFile(path.join(bin, '../package.json'), 'utf8')) as { version: string };
  const folder = path.join(ROOT, 'node_modules/.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(path.dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  const { inflate } = (await import(PACKAGE)) as { inflate(file: string): Promise<string> };
  const before = process.env.TMPDIR;
  // The package unpacks into the temporary folder and nowhere else.
  process.env.TMPDIR = fresh;
  try {
    const files = ['chromium', 'fonts.tar', 'swiftshader.tar', 'al2023.tar'];
    await Promise.all(files.map((name) => inflate(path.join(bin, `${name}.br`))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  // Another run may have been faster.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  return folder;
};

/** With the system's libraries where it has them, else with those of the package. */
const startable = (folder: string): PreparedBrowser => {
  const executable = path.join(folder, 'chromium');
  // The same letters on every machine, also where none are installed.
  const fonts = { FONTCONFIG_PATH: path.join(folder, 'fonts') };
  const choices = [fonts, { ...fonts, LD_LIBRARY_PATH: path.join(folder, 'al2023/lib') }];
  for (const env of choices) {
    const tried = spawnSync(executable, ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' });
    if (tried.status === 0) return { executable, env };
  }
  throw new Error(
    `The Chromium of ${PACKAGE} does not start here (it is made for Linux on x64). Set CHROMIUM_PATH to another one.`,
  );
};
