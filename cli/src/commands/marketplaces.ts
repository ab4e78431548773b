// The marketplaces of a server, their float at the payment provider and their own accounts there. Only the master key may see and
// change them. Secrets are read from a file or from standard input: a shell keeps arguments, and other users of a machine see them.

import { readFile } from 'node:fs/promises';

import type { Marketplace, PaymentProviderAccount, SetPaymentProviderInput } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { dayOf } from '../times.ts';
import type { Column } from '../view/table.ts';

/** Whose account at the payment provider new payments use. */
const accountOf = ({ paymentAccount: { account, since } }: Marketplace): string =>
  since === null ? account : `${account} since ${dayOf(since)}`;

const MARKETPLACES: readonly Column<Marketplace>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'float', align: 'right', of: ({ float }) => float.held },
  { title: 'pending', align: 'right', of: ({ float }) => float.pendingPayouts },
  { title: 'credit line', align: 'right', of: ({ float }) => float.creditLine },
  { title: 'used', align: 'right', of: ({ float }) => float.creditUsed },
  { title: 'available', align: 'right', of: ({ float }) => float.available },
  { title: 'account', of: accountOf },
  { title: 'created', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

const showFloat = (
  { out }: Pick<Run<unknown>, 'out'>,
  { id, float }: { readonly id: string; readonly float: Marketplace['float'] },
): void => {
  const { currency } = float;
  const isMissing = float.available.startsWith('-');
  out.facts([
    ['marketplace', id],
    ['float', `${float.held} ${currency}`],
    ['allotted, not used', `${float.allotted} ${currency}`],
    ['credit line', `${float.creditLine} ${currency}`],
    ['used of it', `${float.creditUsed} ${currency}`],
    ['open withdrawals', `${float.pendingPayouts} ${currency}`],
    isMissing
      ? ['missing', `${float.available.slice(1)} ${currency}`]
      : ['available', `${float.available} ${currency}`],
  ]);
};

const addReads = (marketplaces: Command): void => {
  pageOptions(
    define(marketplaces, {
      name: 'list',
      what: 'marketplaces with their float at the payment provider, newest first; needs the master key',
      examples: ['holdfast marketplaces list'],
    }),
  ).action(
    action<PageOptions>(async (run) => {
      const list = (await run.asMaster()).marketplaces.list(pageQuery(run.options));
      await showPage(run, { list, columns: MARKETPLACES, none: 'No marketplaces yet.' });
    }),
  );

  define(marketplaces, {
    name: 'show <marketplaceId>',
    what: 'the float of a marketplace: held, promised and available; needs the master key',
    examples: ['holdfast marketplaces show mkt_shop'],
  }).action(
    action(async ({ out, asMaster }, [id]) => {
      const found = await (await asMaster()).marketplaces.get(id!);
      if (out.isJson) out.json(found);
      else showFloat({ out }, found);
    }),
  );
};

const addFloat = (marketplaces: Command): void => {
  keyOption(
    define(marketplaces, {
      name: 'float <marketplaceId> <amount>',
      what: "allot the operator's money at the payment provider to a marketplace, or with mkt_default book what was added there; needs the master key",
      examples: [
        'holdfast marketplaces float mkt_shop 10000.00',
        'holdfast marketplaces float mkt_shop 2500.00 --take-back',
        'holdfast marketplaces float mkt_default 5000.00',
      ],
    }),
  )
    .option(
      '--take-back',
      'take back what was allotted and is not promised to open withdrawals; with mkt_default book what was taken out',
    )
    .action(
      action<KeyOption & { readonly takeBack?: boolean }>(async ({ out, asMaster, options }, [id, amount]) => {
        const { takeBack, idempotencyKey } = options;
        const input = { amount: takeBack ? `-${amount}` : amount!, currency: 'USD' } as const;
        const given = await (await asMaster()).marketplaces.allotFloat(id!, input, { idempotencyKey });
        if (out.isJson) return out.json(given);
        out.line(`${given.amount} ${given.currency} went from ${given.from} to ${given.to}.`);
        showFloat({ out }, { id: id!, float: given.float });
      }),
    );
};

const addCreditLine = (marketplaces: Command): void => {
  define(marketplaces, {
    name: 'credit-line <marketplaceId> <amount>',
    what: 'set how far a marketplace may pay out beyond its own float; 0.00 is none; needs the master key',
    examples: ['holdfast marketplaces credit-line mkt_shop 5000.00', 'holdfast marketplaces credit-line mkt_shop 0.00'],
  }).action(
    action(async ({ out, asMaster }, [id, amount]) => {
      const client = await asMaster();
      const set = await client.marketplaces.setCreditLine(id!, { amount: amount!, currency: 'USD' });
      if (out.isJson) return out.json(set);
      const { creditLine, creditUsed, currency } = set.float;
      out.line(`The credit line of ${set.id} is ${creditLine} ${currency}.`);
      if (/[1-9]/.test(creditUsed)) {
        const allot = `holdfast marketplaces float ${set.id} ${creditUsed}`;
        out.line(`${creditUsed} ${currency} is still owed. Allot it with \`${allot}\`.`);
      }
      showFloat({ out }, set);
    }),
  );
};

const readStandardInput = async (): Promise<string> => {
  if (process.stdin.isTTY) throw wrongUsage('Name a file with --from, or pipe the secrets in.');
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return text;
};

const EXPECTED = 'a JSON object with apiKey, apiSecret and webhookSecret';

/** A message never repeats what was read. */
const readSecrets = async (file: string | undefined): Promise<SetPaymentProviderInput> => {
  const from = file ?? 'Standard input';
  const reading = file === undefined ? readStandardInput() : readFile(file, 'utf8');
  const text = await reading.catch((error: NodeJS.ErrnoException) => {
    throw error.code === undefined ? error : wrongUsage(`${from} cannot be read (${error.code}).`);
  });
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as SetPaymentProviderInput;
  } catch {
    // The message of the parser contains a part of the text.
  }
  throw wrongUsage(`${from} does not contain ${EXPECTED}.`);
};

const showAccount = (
  { out }: Pick<Run<unknown>, 'out'>,
  { marketplaceId, account, credentials, former }: PaymentProviderAccount,
): void => {
  out.facts([
    ['marketplace', marketplaceId],
    ['payment account', account === 'own' ? 'its own' : 'the one that all marketplaces share'],
    ...(credentials
      ? ([
          ['account id', credentials.providerAccountId],
          ['secrets set', credentials.secrets.join(', ')],
          ['since', credentials.since],
          ...(credentials.baseUrl === null ? [] : [['address', credentials.baseUrl]]),
        ] as [string, string][])
      : []),
  ]);
  for (const { id, providerAccountId, until, openPayments } of former) {
    out.line(
      `Former credentials ${id} of the account ${providerAccountId}: until ${until}, open payments: ${openPayments}.`,
    );
  }
};

const addPaymentProvider = (marketplaces: Command): void => {
  const account = define(marketplaces, {
    name: 'payment-provider',
    what: 'the account of a marketplace at the payment provider: its own or the shared one; needs the master key',
    examples: ['holdfast marketplaces payment-provider show mkt_shop'],
  });
  define(account, {
    name: 'set <marketplaceId>',
    what: `give a marketplace its own account, or new keys of it; the secrets are ${EXPECTED}, from a file or standard input`,
    examples: [
      'holdfast marketplaces payment-provider set mkt_shop --from secrets.json',
      'vault read shop-payments | holdfast marketplaces payment-provider set mkt_shop',
    ],
  })
    .option('--from <file>', 'a file with the secrets; without it they are read from standard input')
    .action(
      action<{ readonly from?: string }>(async ({ out, asMaster, options }, [id]) => {
        const secrets = await readSecrets(options.from);
        const set = await (await asMaster()).marketplaces.setPaymentProvider(id!, secrets);
        if (out.isJson) out.json(set);
        else showAccount({ out }, set);
      }),
    );
  define(account, {
    name: 'show <marketplaceId>',
    what: 'which account new payments use, and since when; never a secret',
    examples: ['holdfast marketplaces payment-provider show mkt_shop'],
  }).action(
    action(async ({ out, asMaster }, [id]) => {
      const found = await (await asMaster()).marketplaces.paymentProvider(id!);
      if (out.isJson) out.json(found);
      else showAccount({ out }, found);
    }),
  );
  define(account, {
    name: 'remove <marketplaceId>',
    what: 'let new payments use the shared account again; open payments are finished at the own one',
    examples: ['holdfast marketplaces payment-provider remove mkt_shop'],
  }).action(
    action(async ({ out, asMaster }, [id]) => {
      const left = await (await asMaster()).marketplaces.removePaymentProvider(id!);
      if (out.isJson) out.json(left);
      else showAccount({ out }, left);
    }),
  );
};

export const addMarketplaceCommands = (program: Command): void => {
  const marketplaces = define(program, {
    name: 'marketplaces',
    what: 'marketplaces, their float, credit lines and accounts at the payment provider; needs the master key',
    examples: ['holdfast marketplaces list', 'holdfast marketplaces float mkt_shop 10000.00'],
  });
  addReads(marketplaces);
  addFloat(marketplaces);
  addCreditLine(marketplaces);
  addPaymentProvider(marketplaces);
};
