// The marketplaces of a server and their float at the payment provider. Only the master key may see and change them.

import type { Marketplace } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { dayOf } from '../times.ts';
import type { Column } from '../view/table.ts';

const MARKETPLACES: readonly Column<Marketplace>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'float', align: 'right', of: ({ float }) => float.held },
  { title: 'pending', align: 'right', of: ({ float }) => float.pendingPayouts },
  { title: 'credit line', align: 'right', of: ({ float }) => float.creditLine },
  { title: 'used', align: 'right', of: ({ float }) => float.creditUsed },
  { title: 'available', align: 'right', of: ({ float }) => float.available },
  { title: 'created', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

const showFloat = (
  { out }: Pick<Run<unknown>, 'out'>,
  { id, float }: { readonly id: string; readonly float: Marketplace['float'] },
): void => {
  const { currency } = float;
  out.facts([
    ['marketplace', id],
    ['float', `${float.held} ${currency}, of which ${float.allotted} was allotted`],
    ['pending payouts', `${float.pendingPayouts} ${currency}`],
    ['credit line', `${float.creditLine} ${currency}, of which ${float.creditUsed} is used`],
    ['available', `${float.available} ${currency}`],
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
      what: "allot the operator's money at the payment provider to a marketplace; needs the master key",
      examples: [
        'holdfast marketplaces float mkt_shop 10000.00',
        'holdfast marketplaces float mkt_shop 2500.00 --take-back',
      ],
    }),
  )
    .option('--take-back', 'take back what was allotted and is not promised to open withdrawals')
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
      if (out.isJson) out.json(set);
      else showFloat({ out }, set);
    }),
  );
};

export const addMarketplaceCommands = (program: Command): void => {
  const marketplaces = define(program, {
    name: 'marketplaces',
    what: 'marketplaces, their float at the payment provider and their credit lines; needs the master key',
    examples: ['holdfast marketplaces list', 'holdfast marketplaces float mkt_shop 10000.00'],
  });
  addReads(marketplaces);
  addFloat(marketplaces);
  addCreditLine(marketplaces);
};
