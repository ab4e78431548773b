// Commands that work on the database of the settings, with or without a running server: schema migrations, and sealing the keys of
// all wallets with the newest key-encryption key. They run on the server's machine.

import type { Command } from 'commander';
import { define } from '../define.ts';
import { action } from '../run.ts';
import { runEntry } from '../server-entry.ts';

export const addMigrateCommand = (program: Command): void => {
  define(program, {
    name: 'migrate',
    what: 'migrate the database to the schema of this version; a server also does this when it starts',
    examples: ['holdfast migrate', 'DATABASE_URL=postgres://… holdfast migrate'],
  }).action(action(({ out }) => runEntry('programs/migrate.ts', out)));
};

export const addWalletCommands = (program: Command): void => {
  const wallets = define(program, {
    name: 'wallets',
    what: 'custody of the ledger addresses',
    examples: ['holdfast wallets rotate-keys'],
  });

  define(wallets, {
    name: 'rotate-keys',
    what: 'seal all wallets with the newest key of WALLET_KEK; works on the database, also while a server runs',
    examples: ['WALLET_KEK=2:…,1:… holdfast wallets rotate-keys'],
  }).action(action(({ out }) => runEntry('programs/rotate-wallet-keys.ts', out)));
};
