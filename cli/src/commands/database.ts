// Schema migrations, the distribution of the tables, and the key-encryption keys of the wallets. `migrate`, `distribute` and `rotate-keys`
// work on the database of the settings, the first and the last also while servers run; the other commands ask a server.

import type { WalletKeys } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, define } from '../define.ts';
import { action, type Run } from '../run.ts';
import { runEntry } from '../server-entry.ts';
import { addLinkedWalletCommands } from './linked-wallets.ts';

export const addMigrateCommand = (program: Command): void => {
  define(program, {
    name: 'migrate',
    what: 'migrate the database to the schema of this version; a server also does this when it starts',
    examples: ['holdfast migrate', 'DATABASE_URL=postgres://… holdfast migrate'],
  }).action(action(({ out }) => runEntry('programs/migrate.ts', { out })));
};

type DistributeOptions = { readonly yes?: true; readonly dryRun?: true; readonly shards?: number };

export const addDistributeCommand = (program: Command): void => {
  define(program, {
    name: 'distribute',
    what: 'distribute the tables over the workers of a Citus, with a proof of the books before and after; stop all servers first',
    examples: ['holdfast distribute --dry-run', 'DATABASE_URL=postgres://… holdfast distribute --shards 64 --yes'],
  })
    .option('--yes', 'do it without a question')
    .option('--dry-run', 'only show what it would do')
    .option('--shards <number>', 'the number of parts of each table; 32 unless given', atLeastOne)
    .action(
      action<DistributeOptions>(({ out, options: { yes, dryRun, shards } }) => {
        const args = [
          ...(yes ? ['--yes'] : []),
          ...(dryRun ? ['--dry-run'] : []),
          ...(shards === undefined ? [] : ['--shards', String(shards)]),
          ...(out.isJson ? ['--json'] : []),
        ];
        return runEntry('programs/distribute.ts', { out, args, printsJson: true, asks: true });
      }),
    );
};

const PHASES: Readonly<Record<WalletKeys['phase'], string>> = {
  idle: 'no rotation runs',
  announced: 'waiting until every server has the key',
  resealing: 'older secrets are sealed again',
};

const NEWEST_UNUSED = '; the newest key, seals nothing: rotate to it with `holdfast wallets rotate`, or remove it';

const showKeys = ({ out }: Pick<Run<unknown>, 'out'>, found: WalletKeys): void => {
  if (out.isJson) {
    out.json(found);
    return;
  }
  out.facts([
    ['sealing key', found.sealingKeyId],
    ['announced key', found.announcedKeyId],
    ['rotation', PHASES[found.phase]],
    ['last finished', found.finishedAt],
  ]);
  for (const [index, { keyId, wallets, credentials, removable }] of found.keys.entries()) {
    const isNewest = index === 0 && keyId !== found.sealingKeyId;
    const unused = isNewest ? NEWEST_UNUSED : '; can be removed, but keep a copy for old backups';
    const remark = removable ? unused : '';
    out.line(`Key ${keyId}: ${wallets} wallets, ${credentials} provider credentials${remark}.`);
  }
  for (const { host, keyIds, sealingKeyId, confirmedKeyId } of found.servers) {
    const isWaitedFor = found.announcedKeyId !== null && confirmedKeyId !== found.announcedKeyId;
    const remark = isWaitedFor ? `; the rotation waits for it to have ${found.announcedKeyId}` : '';
    out.line(`Server ${host}: has ${keyIds.join(', ')}, seals with ${sealingKeyId}${remark}.`);
  }
};

export const addWalletCommands = (program: Command): void => {
  const wallets = define(program, {
    name: 'wallets',
    what: 'wallets of users on the ledger, and the keys that seal them',
    examples: ['holdfast wallets list usr_01J…', 'holdfast wallets keys'],
  });
  addLinkedWalletCommands(wallets);

  define(wallets, {
    name: 'keys',
    what: 'key-encryption keys: which one seals, which servers have it, which can be removed; needs the master key',
    examples: ['holdfast wallets keys'],
  }).action(action(async ({ out, asMaster }) => showKeys({ out }, await (await asMaster()).walletKeys.get())));

  define(wallets, {
    name: 'rotate [keyId]',
    what: 'rotate to a key-encryption key that the servers have, or to the newest one, while they run; needs the master key',
    examples: ['holdfast wallets rotate', 'holdfast wallets rotate 2'],
  }).action(
    action(async ({ out, asMaster }, [keyId]) =>
      showKeys({ out }, await (await asMaster()).walletKeys.rotate(keyId === undefined ? {} : { keyId })),
    ),
  );

  define(wallets, {
    name: 'rotate-keys',
    what: 'seal all wallets with the newest key of the settings; works on the database, also while servers run that have it',
    examples: ['WALLET_KEK=2:…,1:… holdfast wallets rotate-keys'],
  }).action(action(({ out }) => runEntry('programs/rotate-wallet-keys.ts', { out })));
};
