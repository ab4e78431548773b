// One operator: details, changes, and the sessions at the console. Needs the master key, which a development server stores in its data
// folder.

import type { Operator, OperatorSession, UpdateOperatorInput } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, pageOptions } from '../../define.ts';
import { wrongUsage } from '../../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../../run.ts';
import { clockOf, dayOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

const ROLES = ['viewer', 'support', 'finance', 'admin'] as const;

const show = ({ out }: Pick<Run<unknown>, 'out'>, operator: Operator): void => {
  if (out.isJson) out.json(operator);
  else
    out.facts([
      ['id', operator.id],
      ['name', operator.name],
      ['e-mail', operator.email],
      ['role', operator.role],
      ['marketplace', operator.everywhere ? 'every one' : operator.marketplaceId],
      ['status', operator.status],
      ['created', dayOf(operator.createdAt)],
    ]);
};

const addShow = (operators: Command): void => {
  define(operators, {
    name: 'show <operatorId>',
    ids: true,
    what: 'show one operator; needs the master key',
    examples: ['holdfast operators show opr_01J…'],
  }).action(action(async (run, [id]) => show(run, await (await run.asMaster()).operators.get(id!))));
};

type UpdateOptions = Pick<UpdateOperatorInput, 'name' | 'role'> & { readonly enable?: boolean };

const addUpdate = (operators: Command): void => {
  define(operators, {
    name: 'update <operatorId>',
    ids: true,
    what: 'change the name or the role of an operator, or let a disabled one sign in again; needs the master key',
    examples: ['holdfast operators update opr_01J… --role finance', 'holdfast operators update opr_01J… --enable'],
  })
    .option('--name <name>', 'name of the person, as the audit trail shows it')
    .addOption(choice('--role <role>', { what: 'what the person may do', of: ROLES }))
    .option('--enable', 'end a disabling')
    .action(
      action<UpdateOptions>(async (run, [id]) => {
        const { name, role, enable } = run.options;
        const changes = { name, role, ...(enable ? { disabled: false } : {}) };
        if (name === undefined && role === undefined && !enable) {
          throw wrongUsage('Name at least one change: --name, --role or --enable.');
        }
        show(run, await (await run.asMaster()).operators.update(id!, changes));
      }),
    );

  define(operators, {
    name: 'delete <operatorId>',
    ids: true,
    what: 'remove an operator for good; the audit trail keeps the name; needs the master key',
    examples: ['holdfast operators delete opr_01J…'],
  }).action(action(async (run, [id]) => show(run, await (await run.asMaster()).operators.delete(id!))));
};

const SESSIONS: readonly Column<OperatorSession>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'signed in', of: ({ createdAt }) => clockOf(createdAt) },
  { title: 'with', of: ({ method }) => method },
  { title: 'last used', of: ({ lastUsedAt }) => clockOf(lastUsedAt) },
  { title: 'from', of: ({ address }) => address },
  { title: 'browser', of: ({ userAgent }) => userAgent, flexible: true, minor: true },
];

const addSessions = (operators: Command): void => {
  pageOptions(
    define(operators, {
      name: 'sessions <operatorId>',
      ids: true,
      what: 'open sessions of an operator at the console; needs the master key',
      examples: ['holdfast operators sessions opr_01J…'],
    }),
  ).action(
    action<PageOptions>(async (run, [id]) => {
      const list = (await run.asMaster()).operators.sessions(id!, pageQuery(run.options));
      await showPage(run, { list, columns: SESSIONS, none: 'No open sessions.' });
    }),
  );

  define(operators, {
    name: 'end-session <operatorId> <sessionId>',
    ids: true,
    what: 'end one session at once; needs the master key',
    examples: ['holdfast operators end-session opr_01J… ses_01J…'],
  }).action(
    action(async ({ out, asMaster }, [id, sessionId]) => {
      const ended = await (await asMaster()).operators.revokeSession(id!, sessionId!);
      if (out.isJson) return out.json(ended);
      out.line(`The session ${ended.id} has ended.`);
    }),
  );
};

export const addOperatorChanges = (operators: Command): void => {
  addShow(operators);
  addUpdate(operators);
  addSessions(operators);
};
