// Users and their balances.

import { randomUUID } from 'node:crypto';
import {
  type Balance,
  type CreateUserInput,
  type CurrencyCode,
  HoldfastError,
  type ListUsersQuery,
  type User,
} from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { markRepeatable, wrongUsage } from '../failures.ts';
import { checkedAmount } from '../money.ts';
import { action, type PageOptions, pageQuery, type Run, readBack, showPage } from '../run.ts';
import { BALANCES, showUser, USER_TYPES, USERS } from '../view/users.ts';
import { addUserBalances } from './money/user-balances.ts';
import { addUserChanges } from './people/user-changes.ts';

const STATUSES = ['ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION'];

const balancesOf = async ({ client }: Run<unknown>, id: string): Promise<Balance[]> => {
  const { currencies } = await client.service.config();
  return Promise.all(currencies.map((currency) => client.balances.get(id, { currency: currency as CurrencyCode })));
};

type CreateOptions = KeyOption & Pick<CreateUserInput, 'email' | 'name' | 'type'> & { readonly credit?: string };
type MoveOptions = KeyOption & {
  readonly currency?: CurrencyCode;
  readonly reference?: string;
  readonly description?: string;
};

/** The user exists even if the credit fails; the message names the command that repeats the credit. */
const creditNew = async (
  { client, out }: Run<unknown>,
  { user, amount }: { user: User; amount: string },
): Promise<Balance> => {
  const idempotencyKey = randomUUID();
  return client.balances.credit(user.id, { amount }, { idempotencyKey }).catch((error: unknown) => {
    const again = `holdfast users credit ${user.id} ${amount} --idempotency-key ${idempotencyKey}`;
    markRepeatable(error, false);
    const isRefused = error instanceof HoldfastError && error.status !== null && !error.outcomeUnknown;
    const said = isRefused
      ? `The user was created: ${user.id}. The credit was refused:`
      : `${user.id} was created, but the credit is not confirmed. To retry it: ${again}`;
    out.note(out.notePaint.yellow(said));
    throw error;
  });
};

const move = (kind: 'credit' | 'debit') =>
  action<MoveOptions>(async ({ client, out, options }, [id, amount]) => {
    const { currency, reference, description, idempotencyKey } = options;
    const input = { amount: checkedAmount(amount!), currency, reference, description };
    const balance = await client.balances[kind](id!, input, { idempotencyKey });
    if (out.isJson) return out.json(balance);
    out.table([balance], BALANCES);
  });

const addCreate = (users: Command): void => {
  keyOption(
    define(users, {
      name: 'create <externalUserId>',
      ids: true,
      what: 'create a user; a repeated external id returns the existing user',
      examples: ['holdfast users create ada --email ada@shop.example --credit 100.00'],
    }),
  )
    .option('--email <address>', 'e-mail address')
    .option('--name <name>', 'name, as people read it')
    .addOption(choice('--type <type>', { what: 'information only', of: USER_TYPES }))
    .option('--credit <amount>', 'opening credit')
    .action(
      action<CreateOptions>(async (run, [externalUserId]) => {
        const { client, options } = run;
        const { email, name, type, credit, idempotencyKey } = options;
        if (credit !== undefined && idempotencyKey !== undefined) {
          throw wrongUsage(
            'An --idempotency-key covers one request: create the user first, then use `holdfast users credit`.',
          );
        }
        const amount = credit === undefined ? null : checkedAmount(credit);
        const input = { externalUserId: externalUserId!, email, name, type };
        const { differs = [], ...user } = await client.users.create(input, { idempotencyKey });
        if (differs.length > 0) {
          const said = `${user.id} exists with another ${differs.join(', ')}, and was not changed. To change it: holdfast users update`;
          run.out.note(run.out.notePaint.yellow(said));
        }
        const credited = amount === null ? null : await creditNew(run, { user, amount });
        const done = amount === null ? `${user.id} was created` : `${user.id} was created and ${amount} credited`;
        const read = async () => ({ ...(await client.users.get(user.id)), balances: await balancesOf(run, user.id) });
        const known = { ...user, balances: [credited ?? user.balance] };
        showUser(run.out, await readBack(run, { done, read, known }));
      }),
    );
};

export const addUserCommands = (program: Command): void => {
  const users = define(program, {
    name: 'users',
    what: 'users and their balances',
    examples: ['holdfast users list', 'holdfast users create ada --credit 100.00'],
  });

  addCreate(users);

  pageOptions(
    define(users, { name: 'list', ids: true, what: 'users, newest first', examples: ['holdfast users list --q ada'] }),
  )
    .option('--q <text>', 'search by id, external id, e-mail address or name')
    .addOption(choice('--status <status>', { what: 'only with this status', of: STATUSES }))
    .addOption(choice('--type <type>', { what: 'only of this type', of: USER_TYPES }))
    .action(
      action<PageOptions & Pick<ListUsersQuery, 'q' | 'status' | 'type'>>(async (run) => {
        const { q, status, type } = run.options;
        const list = run.client.users.list({ ...pageQuery(run.options), q, status, type });
        await showPage(run, { list, columns: USERS, none: 'No matching users.' });
      }),
    );

  define(users, {
    name: 'show <userId>',
    ids: true,
    what: 'show one user with the balance in every currency',
    examples: ['holdfast users show usr_01J…'],
  }).action(
    action(async (run, [id]) => {
      showUser(run.out, { ...(await run.client.users.get(id!)), balances: await balancesOf(run, id!) });
    }),
  );

  for (const kind of ['credit', 'debit'] as const) {
    keyOption(
      define(users, {
        name: `${kind} <userId> <amount>`,
        what:
          kind === 'credit' ? 'add to the available balance by hand' : 'subtract from the available balance by hand',
        examples: [`holdfast users ${kind} usr_01J… 25.00 --description "welcome"`],
      }),
    )
      .option('--currency <code>', 'currency of the balance; the base currency when left out')
      .option('--reference <text>', 'your label')
      .option('--description <text>', 'shown in the statement')
      .action(move(kind));
  }
  addUserChanges(users);
  addUserBalances(users);
};
