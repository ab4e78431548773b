// The Chromium package of the project. It is built for Linux on x64 and contains its own fonts and libraries.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PACKAGE = '@sparticuz/chromium';
const FONTS = 'fonts/fonts.conf';

/** The font configuration of the package names folders of another host, and a browser without fonts exits at once. */
const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(folder, 'fonts/fonts')}</dir>
  <cachedir>${path.join(folder, 'fonts-cache')}</cachedir>
  <config></config>
</fontconfig>
`;

export type Chromium = { readonly executable: string; readonly env: Readonly<Record<string, string>> };

/** With the libraries of the system, or with those of the package if the system has none. */
export const unpackChromium = async (): Promise<Chromium[]> => {
  const folder = await unpack();
  await writeFile(path.join(folder, FONTS), fontsConf(folder));
  const executable = path.join(folder, 'chromium');
  // The same fonts on every machine, also without installed fonts.
  const fonts = { FONTCONFIG_PATH: path.join(folder, 'fonts') };
  const libraries = { LD_LIBRARY_PATH: path.join(folder, 'al2023/lib') };
  return [
    { executable, env: fonts },
    { executable, env: { ...fonts, ...libraries } },
  ];
};

/** Once per version: it is 190 MB and takes two seconds. */
const unpack = async (): Promise<string> => {
  const bin = path.join(path.dirname(createRequire(import.meta.url).resolve(PACKAGE)), '../bin');
  const { version } = JSON.parse(await readFile(path.join(bin, '../package.json'), 'utf8')) as { version: string };
  const folder = path.join(ROOT, 'node_modules/.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(path.dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  const { inflate } = (await import(PACKAGE)) as { inflate(file: string): Promise<string> };
  const before = process.env.TMPDIR;
  // The package always unpacks into the temporary folder.
  process.env.TMPDIR = fresh;
  try {
    const files = ['chromium', 'fonts.tar', 'swiftshader.tar', 'al2023.tar'];
    await Promise.all(files.map((name) => inflate(path.join(bin, `${name}.br`))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  // Another run may have finished first.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  return folder;
};
