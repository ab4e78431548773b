// A PKCS#11 token of SoftHSM in a temporary folder. Its keys are created with the tool of the token, as an operator would do it.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../tools/test-database/folder.ts';

const run = promisify(execFile);
const MODULES = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/local/lib/softhsm/libsofthsm2.so'];
const MODULE = MODULES.find((one) => existsSync(one));
const TOOLS = ['softhsm2-util', 'pkcs11-tool'];
const TOKEN = 'holdfast';
const PIN = '4711';

const isInstalled = (tool: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(path.join(folder, tool)));

const hasPackage = (): boolean => {
  try {
    createRequire(import.meta.url)('pkcs11js');
    return true;
  } catch {
    return false;
  }
};

/** Why tests with a token are skipped; false when they can run. */
export const whyNoToken = (): string | false => {
  if (!MODULE || !TOOLS.every(isInstalled)) return 'SoftHSM is missing: apt-get install softhsm2 opensc';
  return hasPackage() ? false : 'the package pkcs11js is missing: npm install --no-save pkcs11js@2.1.7';
};

/** The settings of a new token without keys, and a function that creates a key in it. */
export const openToken = async (t: TestContext) => {
  const folder = await temporaryFolder(t);
  const conf = path.join(folder, 'softhsm2.conf');
  const tokens = path.join(folder, 'tokens');
  const pinFile = path.join(folder, 'pin');
  await mkdir(tokens);
  await writeFile(conf, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`);
  await writeFile(pinFile, `${PIN}\n`, { mode: 0o600 });
  // The library reads the name of its settings file from the environment of this process, when it is loaded.
  process.env.SOFTHSM2_CONF = conf;
  const env = { ...process.env, SOFTHSM2_CONF: conf };
  const init = ['--init-token', '--free', '--label', TOKEN, '--pin', PIN, '--so-pin', '0815'];
  await run('softhsm2-util', init, { env });
  const ofToken = ['--module', MODULE!, '--token-label', TOKEN, '--login', '--pin', PIN];
  return {
    conf,
    env: {
      WALLET_KEK_SOURCE: 'pkcs11',
      WALLET_KEK_PKCS11_MODULE: MODULE!,
      WALLET_KEK_PKCS11_TOKEN: TOKEN,
      WALLET_KEK_PKCS11_PIN_FILE: pinFile,
    },
    createKey: (label: string) =>
      run('pkcs11-tool', [...ofToken, '--keygen', '--key-type', 'AES:32', '--label', label, '--sensitive'], { env }),
    pinFile,
  };
};
