// Packages of other projects that judge ours. They are installed apart, so that `npm ci` of the project stays small; the reasons and the
// command are in docs/testing.md. Their install scripts never run.

import { existsSync } from 'node:fs';
import path from 'node:path';

const FOLDER = import.meta.dirname;

export const INSTALL = 'npm ci --ignore-scripts --prefix tools/outside-checks';

export const areInstalled = (): boolean => existsSync(path.join(FOLDER, 'node_modules/.package-lock.json'));

/** One of these packages. The compiler cannot see a package that may be absent, so the caller names the part of it that it uses. */
export const loadPackage = async <Part>(name: string): Promise<Part> => (await import(name)) as Part;
