// Operators: people with a name and a role, who sign in to the console. The link of an invitation is shown once, when it is made. Needs the
// master key, which a development server stores in its data folder.

import type { CreateOperatorInput, InvitedOperator, Operator } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, type KeyOption, keyOption, pageOptions } from '../../define.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../../run.ts';
import { dayOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';
import { addOperatorChanges } from './operator-changes.ts';

type Role = CreateOperatorInput['role'];

const ROLES: readonly Role[] = ['viewer', 'support', 'finance', 'admin'];

const OPERATORS: readonly Column<Operator>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name, flexible: true },
  { title: 'e-mail', of: ({ email }) => email, flexible: true },
  { title: 'role', of: ({ role, everywhere }) => (everywhere ? `${role} everywhere` : role) },
  { title: 'status', of: ({ status }) => status },
  { title: 'created', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

const showInvite = ({ out }: Pick<Run<unknown>, 'out'>, invited: InvitedOperator): void => {
  if (out.isJson) out.json(invited);
  else {
    out.facts([
      ['link', invited.inviteUrl],
      ['id', invited.id],
      ['name', invited.name],
      ['e-mail', invited.email],
      ['role', invited.role],
      ['marketplace', invited.everywhere ? 'every one' : invited.marketplaceId],
      ['expires', dayOf(invited.inviteExpiresAt)],
    ]);
  }
  if (!out.onlyIds) out.note(out.notePaint.dim('Send the link to the person: it is shown only once and works once.'));
};

type CreateOptions = KeyOption & { readonly role: Role; readonly name: string; readonly everywhere?: boolean };

const addCreate = (operators: Command): void => {
  keyOption(
    define(operators, {
      name: 'create <email>',
      ids: true,
      what: 'invite a person; needs the master key',
      examples: ['holdfast operators create ada@shop.example --name "Ada Lovelace" --role support'],
    }),
  )
    .requiredOption('--name <name>', 'name of the person, as the audit trail shows it')
    .addOption(choice('--role <role>', { what: 'what the person may do', of: ROLES }).default('viewer'))
    .option('--everywhere', 'the person may work in every marketplace')
    .action(
      action<CreateOptions>(async (run, [email]) => {
        const { name, role, everywhere, idempotencyKey } = run.options;
        const input = { email: email!, name, role, ...(everywhere ? { everywhere } : {}) };
        showInvite(run, await (await run.asMaster()).operators.create(input, { idempotencyKey }));
      }),
    );
};

const addFirstAdmin = (operators: Command): void => {
  keyOption(
    define(operators, {
      name: 'first-admin <email>',
      ids: true,
      what: 'invite an administrator of all marketplaces, on the machine of the server; needs the master key',
      examples: ['holdfast operators first-admin ada@shop.example --name "Ada Lovelace"'],
    }),
  )
    .requiredOption('--name <name>', 'name of the person, as the audit trail shows it')
    .action(
      action<KeyOption & { readonly name: string }>(async (run, [email]) => {
        const { name, idempotencyKey } = run.options;
        const input = { email: email!, name, role: 'admin', everywhere: true } as const;
        showInvite(run, await (await run.asMaster()).operators.create(input, { idempotencyKey }));
      }),
    );
};

const addList = (operators: Command): void => {
  pageOptions(
    define(operators, {
      name: 'list',
      ids: true,
      what: 'operators, newest first',
      examples: ['holdfast operators list --status ACTIVE'],
    }),
  )
    .addOption(choice('--status <status>', { what: 'only with this status', of: ['INVITED', 'ACTIVE', 'DISABLED'] }))
    .action(
      action<PageOptions & { readonly status?: Operator['status'] }>(async (run) => {
        const list = (await run.asMaster()).operators.list({ ...pageQuery(run.options), status: run.options.status });
        await showPage(run, { list, columns: OPERATORS, none: 'No operators.' });
      }),
    );
};

const addDisable = (operators: Command): void => {
  define(operators, {
    name: 'disable <operatorId>',
    ids: true,
    what: 'keep a person from signing in, and end all sessions; needs the master key',
    examples: ['holdfast operators disable opr_01J…'],
  }).action(
    action(async ({ out, asMaster }, [id]) => {
      const disabled = await (await asMaster()).operators.update(id!, { disabled: true });
      if (out.isJson) return out.json(disabled);
      out.line(`${disabled.id} (${disabled.name}) is ${disabled.status}, and all its sessions have ended.`);
    }),
  );
};

const addInvite = (operators: Command): void => {
  keyOption(
    define(operators, {
      name: 'invite <operatorId>',
      ids: true,
      what: 'make a new link, also to reset a password or a second factor; ends all sessions; needs the master key',
      examples: ['holdfast operators invite opr_01J…'],
    }),
  ).action(
    action<KeyOption>(async (run, [id]) => {
      const { idempotencyKey } = run.options;
      showInvite(run, await (await run.asMaster()).operators.invite(id!, { idempotencyKey }));
    }),
  );
};

export const addOperatorCommands = (program: Command): void => {
  const operators = define(program, {
    name: 'operators',
    what: 'people who sign in to the console',
    examples: ['holdfast operators list'],
  });
  addCreate(operators);
  addList(operators);
  addDisable(operators);
  addInvite(operators);
  addFirstAdmin(operators);
  addOperatorChanges(operators);
};
