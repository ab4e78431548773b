// The parts of a user's balance: reservations, and the comparison of the balance with the ledger.

import type { CurrencyCode, Reservation } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define, type KeyOption, keyOption, pageOptions } from '../../define.ts';
import { EXIT } from '../../failures.ts';
import { checkedAmount } from '../../money.ts';
import { action, type PageOptions, pageQuery, showPage } from '../../run.ts';
import { dayOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';
import { BALANCES } from '../../view/users.ts';

type MoveOptions = KeyOption & { readonly currency?: CurrencyCode; readonly order?: string; readonly reason?: string };

const MOVES = [
  { name: 'reserve', call: 'reserve', what: 'move money from the available to the reserved balance' },
  { name: 'release', call: 'release', what: 'move reserved money back to the available balance' },
  { name: 'deduct-reserved', call: 'deductReserved', what: 'subtract from the reserved balance by hand' },
] as const;

const addMoves = (users: Command): void => {
  for (const { name, call, what } of MOVES) {
    keyOption(
      define(users, {
        name: `${name} <userId> <amount>`,
        what,
        examples: [`holdfast users ${name} usr_01J… 25.00 --order cart-1042`],
      }),
    )
      .option('--order <orderId>', 'order of the reservation, or a reference of yours')
      .option('--currency <code>', 'currency of the balance; the base currency when left out')
      .option('--reason <text>', 'reason; kept in the audit trail')
      .action(
        action<MoveOptions>(async ({ client, out, options }, [id, amount]) => {
          const { order: orderId, currency, reason, idempotencyKey } = options;
          const input = { amount: checkedAmount(amount!), orderId, currency, reason };
          const balance = await client.balances[call](id!, input, { idempotencyKey });
          if (out.isJson) return out.json(balance);
          out.table([balance], BALANCES);
        }),
      );
  }

  keyOption(
    define(users, {
      name: 'cancel-reservation <userId> <orderId>',
      what: 'move all that is reserved for an order back to the available balance',
      examples: ['holdfast users cancel-reservation usr_01J… cart-1042'],
    }),
  )
    .option('--reason <text>', 'reason; kept in the audit trail')
    .action(
      action<KeyOption & { readonly reason?: string }>(async ({ client, out, options }, [id, orderId]) => {
        const { reason, idempotencyKey } = options;
        const input = { orderId: orderId!, reason };
        const balance = await client.balances.cancelReservation(id!, input, { idempotencyKey });
        if (out.isJson) return out.json(balance);
        out.table([balance], BALANCES);
      }),
    );
};

const RESERVATIONS: readonly Column<Reservation>[] = [
  { title: 'order', of: ({ orderId }) => orderId ?? 'none', flexible: true },
  { title: 'reserved', align: 'right', of: ({ remaining }) => remaining },
  { title: 'in total', align: 'right', of: ({ amount }) => amount },
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'since', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

const addReservations = (users: Command): void => {
  pageOptions(
    define(users, {
      name: 'reservations <userId>',
      what: 'what is reserved, and for which orders',
      examples: ['holdfast users reservations usr_01J…'],
    }),
  ).action(
    action<PageOptions>(async (run, [id]) => {
      const list = run.client.users.reservations(id!, pageQuery(run.options));
      await showPage(run, { list, columns: RESERVATIONS, none: 'Nothing is reserved.' });
    }),
  );
};

type CurrencyOption = { readonly currency?: CurrencyCode };

const addVerify = (users: Command): void => {
  define(users, {
    name: 'verify <userId>',
    what: 'compare the balance in the books with the address on the ledger; a difference exits with 1',
    examples: ['holdfast users verify usr_01J…'],
  })
    .option('--currency <code>', 'currency of the balance; the base currency when left out')
    .action(
      action<CurrencyOption>(async ({ client, out, options }, [id]) => {
        const found = await client.balances.verify(id!, options.currency ? { currency: options.currency } : {});
        const { isValid, offChainBalance, onChainBalance, heldInTreasury, difference } = found;
        if (out.isJson) out.json(found);
        else
          out.facts([
            ['books', `${offChainBalance.total} ${offChainBalance.currency}`],
            ['ledger', `${onChainBalance.balance} ${onChainBalance.asset}`],
            ['address', onChainBalance.address || 'none'],
            ['in treasury', heldInTreasury],
            ['difference', difference],
            ['result', isValid ? 'the two agree' : 'the two differ: `holdfast users sync` applies what the ledger has'],
          ]);
        return isValid ? EXIT.fine : EXIT.refused;
      }),
    );

  define(users, {
    name: 'sync <userId>',
    what: 'read the ledger, and book what has arrived at the address of the user',
    examples: ['holdfast users sync usr_01J…'],
  })
    .option('--currency <code>', 'currency of the balance; the base currency when left out')
    .action(
      action<CurrencyOption>(async ({ client, out, options }, [id]) => {
        const done = await client.balances.sync(id!, options.currency ? { currency: options.currency } : {});
        if (out.isJson) return out.json(done);
        out.table([done.currentBalance], BALANCES);
        out.line(done.adjustment === null ? 'Nothing changed.' : `The balance changed by ${done.adjustment}.`);
      }),
    );
};

export const addUserBalances = (users: Command): void => {
  addMoves(users);
  addReservations(users);
  addVerify(users);
};
