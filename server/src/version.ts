// The version that health, config and the API reference show: the one of package.json at the top, which all parts share.

import { readFileSync } from 'node:fs';

const PACKAGE = new URL('../../package.json', import.meta.url);

export const VERSION: string = JSON.parse(readFileSync(PACKAGE, 'utf8')).version;
