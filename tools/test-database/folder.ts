// A temporary folder that is gone when the test is. Other accounts may walk through it but not look around.

import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { afterwards } from './afterwards.ts';

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(await realpath(os.tmpdir()), 'holdfast-test-'));
  await chmod(folder, 0o711);
  afterwards(t, () => rm(folder, { recursive: true, force: true }));
  return folder;
}
