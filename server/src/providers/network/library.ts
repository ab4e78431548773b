// The library that reads and writes the ledger's binary form. It has 600 modules, so it is loaded when the first value needs it: a server
// starts without it.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

type Library = typeof import('@stellar/stellar-sdk');

let loaded: Library | null = null;

/** By its path, because `require` of the name would load a second copy beside the one of the simulators. */
export const library = (): Library => {
  loaded ??= createRequire(import.meta.url)(fileURLToPath(import.meta.resolve('@stellar/stellar-sdk'))) as Library;
  return loaded;
};
