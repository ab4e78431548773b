// Limits of a marketplace for one day. Only the master key may set them.

import type { CurrencyCode, MarketplaceLimits } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define } from '../define.ts';
import { action, type Run } from '../run.ts';
import { dayOf } from '../times.ts';

const CURRENCIES: readonly CurrencyCode[] = ['USD', 'USDC', 'XLM'];

type SetOptions = {
  readonly currency: CurrencyCode;
  readonly creditPerUser?: string;
  readonly credit?: string;
  readonly withdrawalPerUser?: string;
  readonly withdrawal?: string;
};

const LIMIT_NAMES = [
  ['manualCreditPerUserDay', 'credits by hand of one user'],
  ['manualCreditPerDay', 'credits by hand of all users'],
  ['withdrawalPerUserDay', 'withdrawals of one user'],
  ['withdrawalPerDay', 'withdrawals of all users'],
] as const;

const COUNTING =
  'A day begins at 00:00 UTC. Credits and withdrawals count from the moment the first limit of their currency is set.';

const show = ({ out }: Pick<Run<unknown>, 'out'>, limits: MarketplaceLimits): void => {
  const { currency, usedToday } = limits;
  const limitOf = (amount: string | null): string => (amount === null ? 'no limit' : `${amount} ${currency} a day`);
  out.facts([
    ['marketplace', limits.marketplaceId],
    ...LIMIT_NAMES.map(([name, title]): [string, string] => [title, limitOf(limits[name])]),
    ['used today', `${usedToday.manualCredit} credited, ${usedToday.withdrawal} withdrawn (${currency})`],
    ['next day', dayOf(usedToday.resetsAt)],
  ]);
};

const addShow = (limits: Command): void => {
  define(limits, {
    name: 'show <marketplaceId>',
    what: 'limits of a marketplace, and what it has used of them today; needs the master key',
    examples: ['holdfast limits show mkt_default'],
  }).action(
    action(async ({ out, asMaster }, [id]) => {
      const all = await (await asMaster()).marketplaces.limits(id!);
      if (out.isJson) return out.json(all);
      for (const each of all) show({ out }, each);
      if (all.length === 0) out.note('No limits are set.');
    }),
  );
};

const addSet = (limits: Command): void => {
  define(limits, {
    name: 'set <marketplaceId>',
    what: `replace all four limits of one currency: a limit that is left out is removed; needs the master key. ${COUNTING}`,
    examples: [
      'holdfast limits set mkt_default --currency USD --withdrawal 5000.00 --withdrawal-per-user 500.00',
      'holdfast limits set mkt_default --currency USD',
    ],
  })
    .addOption(choice('--currency <code>', { what: 'currency of the limits', of: CURRENCIES }).makeOptionMandatory())
    .option('--credit-per-user <amount>', 'credits by hand of one user in a day')
    .option('--credit <amount>', 'credits by hand of all users in a day')
    .option('--withdrawal-per-user <amount>', 'withdrawals of one user in a day')
    .option('--withdrawal <amount>', 'withdrawals of all users in a day')
    .action(
      action<SetOptions>(async ({ out, options, asMaster }, [id]) => {
        const { marketplaces } = await asMaster();
        const before = (await marketplaces.limits(id!)).find(({ currency }) => currency === options.currency);
        const set = await marketplaces.setLimits(id!, {
          currency: options.currency,
          manualCreditPerUserDay: options.creditPerUser,
          manualCreditPerDay: options.credit,
          withdrawalPerUserDay: options.withdrawalPerUser,
          withdrawalPerDay: options.withdrawal,
        });
        if (out.isJson) return out.json(set);
        for (const [name, title] of LIMIT_NAMES) {
          const was = before?.[name] ?? null;
          if (was !== null && set[name] === null) out.line(`Removed: ${title}, ${was} ${set.currency} a day.`);
        }
        show({ out }, set);
      }),
    );
};

export const addLimitCommands = (program: Command): void => {
  const limits = define(program, {
    name: 'limits',
    what: 'limits of a marketplace for one day, on credits by hand and on withdrawals',
    examples: ['holdfast limits show mkt_default'],
  });
  addShow(limits);
  addSet(limits);
};
