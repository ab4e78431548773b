// `npm run check`: formatting, lint and the types of both projects, at the same time. The types of unchanged files are kept in
// node_modules/.cache for the next check. Ends with 1 when one of them found something.

import path from 'node:path';
import { type Program, runSideBySide } from '../tools/side-by-side.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PROGRAMS = path.join(ROOT, 'node_modules/.bin');
const CACHE = path.join(ROOT, 'node_modules/.cache/holdfast-check');

/** One checker: four, the default, each resolve the shared types again and took 34 s of CPU instead of 18. */
const typesOf = (name: string, project: string): Program => ({
  name: `types of ${name}`,
  file: path.join(PROGRAMS, 'tsc'),
  parameters: [
    ...['--noEmit', '--project', project, '--checkers', '1'],
    ...['--incremental', '--tsBuildInfoFile', path.join(CACHE, `${name}.tsbuildinfo`)],
  ],
});

const failed = await runSideBySide(
  [
    typesOf('server', '.'),
    typesOf('console', 'console'),
    {
      name: 'formatting and lint',
      file: path.join(PROGRAMS, 'biome'),
      parameters: ['check', '--error-on-warnings', '--colors=off', '.'],
    },
  ],
  { cwd: ROOT, print: (text) => console.log(text) },
);
process.exitCode = failed.length === 0 ? 0 : 1;
