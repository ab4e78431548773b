// Whether the packages of other projects are there. `.ci/run` installs them and sets TEST_OUTSIDE_REQUIRED, so that no run of it skips
// these tests without a word.

import assert from 'node:assert/strict';
import { areInstalled, INSTALL } from '../../tools/outside-checks/installed.ts';

export const NO_TOOLS = `the packages of other projects are not installed: ${INSTALL}`;

export const hasPackages = (): boolean => {
  const are = areInstalled();
  if (process.env.TEST_OUTSIDE_REQUIRED !== undefined) assert.ok(are, NO_TOOLS);
  return are;
};
