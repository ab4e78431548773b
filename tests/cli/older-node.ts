// Arguments for Node that start the tool as an older Node would, which hands over to the pinned one.

import { BIN } from './tool.ts';

/** For Node: has it take itself for an older one. */
const OLDER = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`;
export const AS_OLDER = ['--import', `data:text/javascript,${encodeURIComponent(OLDER)}`, BIN];
