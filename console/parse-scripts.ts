// Parses every built script with the engine of Chromium. A bundler can write scripts that do not parse, and the console
// would be an empty page. A separate program, because Node needs a flag:
// node --experimental-vm-modules console/parse-scripts.ts FOLDER

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const folder = process.argv[2]!;
const broken = globSync('**/*.js', { cwd: folder }).flatMap((name) => {
  try {
    new vm.SourceTextModule(readFileSync(path.join(folder, name), 'utf8'), { identifier: name });
    return [];
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
});
for (const line of broken) console.error(line);
process.exitCode = broken.length === 0 ? 0 : 1;
