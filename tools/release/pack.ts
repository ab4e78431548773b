// `npm pack` of a built folder. npm gives every file the same time and sorts them, so the same files give the same bytes.

import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** The path of the archive in `into`. */
export const packFolder = (folder: string, into: string): string => {
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', folder];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: into, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`npm pack failed:\n${stdout}${stderr}`);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return path.join(into, packed!.filename);
};
