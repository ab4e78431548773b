// Adds what npm leaves out of package-lock.json when the registry lacks a package for another platform: `npm ci` refuses
// a lock in which an optional dependency has no entry. Run after every `npm install`; it changes nothing else.

import { readFileSync, writeFileSync } from 'node:fs';

type Entry = {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
};

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> };

for (const entry of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key]) continue;
    const words = name.split(/[/-]/);
    const os = words.find((word) => SYSTEMS.includes(word));
    const cpu = words.find((word) => PROCESSORS.includes(word));
    if (!cpu) throw new Error(`cannot tell the platform of ${name}`);
    lock.packages[key] = { version, cpu: [cpu], optional: true, ...(os ? { os: [os] } : {}) };
    console.log(`added ${name}@${version}`);
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
