// Wallets whose key the user holds: linked to the user, and proved with a signed challenge.

import type { Wallet, WalletTransaction } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { dayOf } from '../times.ts';
import type { Column } from '../view/table.ts';

const WALLETS: readonly Column<Wallet>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'address', of: ({ publicKey }) => publicKey },
  { title: 'key', of: ({ type }) => (type === 'EXTERNAL' ? 'held by the user' : 'stored encrypted') },
  { title: 'active', of: ({ isActive }) => (isActive ? 'yes' : 'no') },
  { title: 'proved', of: ({ provedAt }) => (provedAt === undefined ? '' : dayOf(provedAt)) },
  { title: 'created', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

const show = ({ out }: Run<unknown>, wallet: Wallet): void => {
  if (out.isJson) out.json(wallet);
  else out.table([wallet], WALLETS);
};

const TRANSACTIONS: readonly Column<WalletTransaction>[] = [
  { title: 'time', of: ({ createdAt }) => dayOf(createdAt) },
  { title: 'type', of: ({ type }) => type, minor: true },
  { title: 'from', of: ({ from }) => from, flexible: true },
  { title: 'to', of: ({ to }) => to, flexible: true },
  { title: 'amount', align: 'right', of: ({ amount }) => amount },
  { title: 'asset', of: ({ asset }) => asset.code },
  { title: 'transaction', of: ({ hash }) => hash, minor: true },
];

const addWalletReads = (wallets: Command): void => {
  define(wallets, {
    name: 'show <userId>',
    ids: true,
    what: 'the primary wallet of a user, with its balances on the ledger',
    examples: ['holdfast wallets show usr_01J…'],
  }).action(
    action(async ({ client, out }, [userId]) => {
      const wallet = await client.wallets.get(userId!);
      if (out.isJson) return out.json(wallet);
      out.facts([
        ['id', wallet.id],
        ['address', wallet.publicKey],
        ['key', wallet.type === 'EXTERNAL' ? 'held by the user' : 'stored encrypted'],
        ['active', wallet.isActive ? 'yes' : 'no'],
        ['USDC', wallet.balance.usdc],
        ['XLM', wallet.balance.xlm],
      ]);
    }),
  );

  pageOptions(
    define(wallets, {
      name: 'transactions <userId>',
      what: 'payments of the primary wallet on the ledger, newest first',
      examples: ['holdfast wallets transactions usr_01J…'],
    }),
  ).action(
    action<PageOptions>(async (run, [userId]) => {
      const list = run.client.wallets.transactions(userId!, pageQuery(run.options));
      await showPage(run, { list, columns: TRANSACTIONS, none: 'No transactions.' });
    }),
  );

  define(wallets, {
    name: 'treasury',
    what: 'the address of the treasury, for payments of the operator',
    examples: ['holdfast wallets treasury'],
  }).action(
    action(async ({ out, asMaster }) => {
      const treasury = await (await asMaster()).wallets.treasuryDeposit();
      if (out.isJson) return out.json(treasury);
      out.facts([
        ['address', treasury.address],
        ['network', treasury.network],
      ]);
    }),
  );
};

export const addLinkedWalletCommands = (wallets: Command): void => {
  addWalletReads(wallets);
  pageOptions(
    define(wallets, {
      name: 'list <userId>',
      ids: true,
      what: 'the wallets of a user, newest first',
      examples: ['holdfast wallets list usr_01J…'],
    }),
  ).action(
    action<PageOptions>(async (run, [userId]) => {
      const list = run.client.wallets.list(userId!, pageQuery(run.options));
      await showPage(run, { list, columns: WALLETS, none: 'No wallets.' });
    }),
  );

  define(wallets, {
    name: 'deposit <userId>',
    what: 'the address to which a user sends USDC; the first request activates the wallet on the ledger',
    examples: ['holdfast wallets deposit usr_01J…'],
  }).action(
    action(async ({ client, out }, [userId]) => {
      const deposit = await client.wallets.deposit(userId!);
      if (out.isJson) return out.json(deposit);
      out.facts([
        ['address', deposit.address],
        ['asset', `${deposit.asset.code} of ${deposit.asset.issuer}`],
        ['network', deposit.network],
      ]);
      out.line(deposit.instructions);
    }),
  );

  keyOption(
    define(wallets, {
      name: 'link <userId> <address>',
      ids: true,
      what: 'link a wallet whose key the user holds',
      examples: ['holdfast wallets link usr_01J… GBBD…'],
    }),
  ).action(
    action<KeyOption>(async (run, [userId, publicKey]) => {
      const { idempotencyKey } = run.options;
      show(run, await run.client.wallets.link(userId!, { publicKey: publicKey! }, { idempotencyKey }));
    }),
  );

  define(wallets, {
    name: 'challenge <userId>',
    what: 'print the transaction that a linked wallet signs to prove its key',
    examples: ['holdfast wallets challenge usr_01J…'],
  })
    .option('--address <address>', 'address of the linked wallet; the one that was linked last when left out')
    .action(
      action<{ readonly address?: string }>(async ({ client, out, options }, [userId]) => {
        const challenge = await client.wallets.challenge(userId!, { publicKey: options.address });
        if (out.isJson) return out.json(challenge);
        out.line(challenge.transaction);
        out.note(
          `Sign it with ${challenge.publicKey} for the network "${challenge.networkPassphrase}" until ${challenge.expiresAt}, then: holdfast wallets prove ${userId} <signed transaction>`,
        );
      }),
    );

  keyOption(
    define(wallets, {
      name: 'prove <userId> <transaction>',
      ids: true,
      what: 'send the signed challenge; the wallet is then marked as proved',
      examples: ['holdfast wallets prove usr_01J… AAAAAgAAAAB…'],
    }),
  ).action(
    action<KeyOption>(async (run, [userId, transaction]) => {
      const { idempotencyKey } = run.options;
      show(run, await run.client.wallets.prove(userId!, { transaction: transaction! }, { idempotencyKey }));
    }),
  );
};
