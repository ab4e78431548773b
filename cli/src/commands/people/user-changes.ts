// Changes of a user: e-mail address, name, type and metadata, suspension, and the account at the payment provider.

import type { UpdateUserInput } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, gather, type KeyOption, keyOption } from '../../define.ts';
import { wrongUsage } from '../../failures.ts';
import { action, type Run } from '../../run.ts';
import { showUser, USER_TYPES } from '../../view/users.ts';

type UpdateOptions = KeyOption & {
  readonly email?: string | false;
  readonly name?: string | false;
  readonly type?: NonNullable<UpdateUserInput['type']>;
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
};

/** `key=value`; the value is JSON, or else text. */
const entryOf = (text: string): [string, unknown] => {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw wrongUsage(`"${text}" is not key=value.`);
  try {
    return [key, JSON.parse(value)];
  } catch {
    return [key, value];
  }
};

/** The server replaces metadata as a whole, so the other keys are read and sent again. */
const metadataOf = async (
  { client, options: { set = [], remove = [] } }: Run<UpdateOptions>,
  id: string,
): Promise<Pick<UpdateUserInput, 'metadata'>> => {
  if (set.length + remove.length === 0) return {};
  const entries = set.map(entryOf);
  const { metadata } = await client.users.get(id);
  const kept = Object.entries(metadata).filter(([key]) => !remove.includes(key));
  return { metadata: { ...Object.fromEntries(kept), ...Object.fromEntries(entries) } };
};

/** `--no-email` and `--no-name` clear the field. */
const textOf = (given: string | false | undefined): string | null | undefined => (given === false ? null : given);

const addUpdate = (users: Command): void => {
  keyOption(
    define(users, {
      name: 'update <userId>',
      ids: true,
      what: 'change the e-mail address, the name, the type or the metadata of a user',
      examples: [
        'holdfast users update usr_01J… --name "Ada Lovelace" --email ada@shop.example',
        'holdfast users update usr_01J… --no-email --set plan=gold --remove trial',
      ],
    }),
  )
    .option('--email <address>', 'e-mail address')
    .option('--no-email', 'clear the e-mail address')
    .option('--name <name>', 'name, as people read it')
    .option('--no-name', 'clear the name')
    .addOption(choice('--type <type>', { what: 'information only', of: USER_TYPES }))
    .option('--set <key=value>', 'a key of the metadata; may be repeated', gather)
    .option('--remove <key>', 'remove a key of the metadata; may be repeated', gather)
    .action(
      action<UpdateOptions>(async (run, [id]) => {
        const { email, name, type, idempotencyKey } = run.options;
        const changes = { email: textOf(email), name: textOf(name), type, ...(await metadataOf(run, id!)) };
        if (Object.values(changes).every((each) => each === undefined)) {
          throw wrongUsage('Name at least one change: --email, --name, --type, --set or --remove.');
        }
        showUser(run.out, await run.client.users.update(id!, changes, { idempotencyKey }));
      }),
    );
};

const addSuspension = (users: Command): void => {
  for (const kind of ['suspend', 'reactivate'] as const) {
    keyOption(
      define(users, {
        name: `${kind} <userId>`,
        ids: true,
        what:
          kind === 'suspend'
            ? 'keep a user from new orders, top-ups and withdrawals; the balance stays'
            : 'end a suspension',
        examples: [`holdfast users ${kind} usr_01J… --reason "chargeback"`],
      }),
    )
      .option('--reason <text>', 'reason; kept in the audit trail')
      .action(
        action<KeyOption & { readonly reason?: string }>(async ({ client, out, options }, [id]) => {
          const { reason, idempotencyKey } = options;
          showUser(out, await client.users[kind](id!, { reason }, { idempotencyKey }));
        }),
      );
  }
};

type LinkOptions = KeyOption & { readonly email?: string; readonly account?: string };

const accountOf = ({ email, paymentAccountUserId }: Partial<Record<'email' | 'paymentAccountUserId', string>>) => {
  if (paymentAccountUserId !== undefined) return { email, paymentAccountUserId };
  if (email !== undefined) return { email };
  throw wrongUsage('Name the account: --email, --account or both.');
};

const addLink = (users: Command): void => {
  keyOption(
    define(users, {
      name: 'link-account <userId>',
      ids: true,
      what: 'link the account at the payment provider to which payouts go',
      examples: ['holdfast users link-account usr_01J… --email ada@shop.example'],
    }),
  )
    .option('--email <address>', 'e-mail address of the account')
    .option('--account <id>', "the payment provider's id of the account")
    .action(
      action<LinkOptions>(async ({ client, out, options }, [id]) => {
        const { email, account: paymentAccountUserId, idempotencyKey } = options;
        const input = accountOf({ email, paymentAccountUserId });
        showUser(out, await client.users.linkPaymentAccount(id!, input, { idempotencyKey }));
      }),
    );
};

export const addUserChanges = (users: Command): void => {
  addUpdate(users);
  addSuspension(users);
  addLink(users);
};
