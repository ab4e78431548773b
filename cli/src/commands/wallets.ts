// Custody: bringing the sealed keys of all wallets under the newest key-encryption key. Runs on the server's machine.

import type { Command } from 'commander';
import { define } from '../define.ts';
import { action } from '../run.ts';
import { runEntry } from '../server-entry.ts';

export const addWalletCommands = (program: Command): void => {
  const wallets = define(program, {
    name: 'wallets',
    what: 'custody of the ledger addresses',
    examples: ['holdfast wallets rotate-keys'],
  });

  define(wallets, {
    name: 'rotate-keys',
    what: 'seal all wallets with the newest key of WALLET_KEK; works on the database, beside a running server too',
    examples: ['WALLET_KEK=2:…,1:… holdfast wallets rotate-keys'],
  }).action(action(({ out }) => runEntry('programs/rotate-wallet-keys.ts', out)));
};
