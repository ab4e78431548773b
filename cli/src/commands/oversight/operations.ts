// Operations with the outside systems on behalf of orders, and the scheduled jobs.

import { type JobReport, OPERATION_KINDS, OPERATION_STATES, type OperationRecord } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, pageOptions } from '../../define.ts';
import { action, type PageOptions, pageQuery, showPage } from '../../run.ts';
import { clockOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

const COLUMNS: readonly Column<OperationRecord>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'state', of: ({ state }) => state },
  { title: 'order', of: ({ orderId }) => orderId, minor: true },
  { title: 'attempts', align: 'right', of: ({ attempts }) => String(attempts) },
  { title: 'problem', of: ({ lastProblem }) => lastProblem, flexible: true },
];

type ListOptions = PageOptions & {
  readonly state?: OperationRecord['state'];
  readonly kind?: OperationRecord['kind'];
  readonly order?: string;
};

export const addOperationCommands = (program: Command): void => {
  const operations = define(program, {
    name: 'operations',
    what: 'work with the outside systems on behalf of orders',
    examples: ['holdfast operations list --state RUNNING', 'holdfast operations show opn_01J…'],
  });

  pageOptions(
    define(operations, {
      name: 'list',
      ids: true,
      what: 'operations, newest first',
      examples: ['holdfast operations list --state RUNNING'],
    }),
  )
    .addOption(choice('--state <state>', { what: 'only in this state', of: OPERATION_STATES }))
    .addOption(choice('--kind <kind>', { what: 'only of this kind', of: OPERATION_KINDS }))
    .option('--order <orderId>', 'only of this order')
    .action(
      action<ListOptions>(async (run) => {
        const { state, kind, order: orderId } = run.options;
        const list = run.client.operations.list({ ...pageQuery(run.options), state, kind, orderId });
        await showPage(run, { list, columns: COLUMNS, none: 'No matching operations.' });
      }),
    );

  define(operations, {
    name: 'show <operationId>',
    ids: true,
    what: 'show one operation, why it was postponed, and when it is tried again',
    examples: ['holdfast operations show opn_01J…'],
  }).action(
    action(async ({ client, out }, [id]) => {
      const found = await client.operations.get(id!);
      if (out.isJson) return out.json(found);
      out.facts([
        ['id', found.id],
        ['kind', found.kind],
        ['state', found.state],
        ['order', found.orderId],
        ['attempts', String(found.attempts)],
        ['problem', found.lastProblem],
        ['started', clockOf(found.startedAt)],
        ['next attempt', found.nextAttemptAt && clockOf(found.nextAttemptAt)],
        ['ended', found.endedAt && clockOf(found.endedAt)],
      ]);
    }),
  );
};

type Listed = JobReport & { readonly id: string };

const JOBS: readonly Column<Listed>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'last run', of: ({ lastRunAt }) => (lastRunAt === null ? '' : clockOf(lastRunAt)) },
  { title: 'outcome', of: ({ lastOutcome }) => lastOutcome },
  { title: 'problem', of: ({ lastProblem }) => lastProblem, flexible: true },
  { title: 'purpose', of: ({ purpose }) => purpose, flexible: true, minor: true },
];

export const addJobCommands = (program: Command): void => {
  const jobs = define(program, {
    name: 'jobs',
    what: 'scheduled jobs of the service',
    examples: ['holdfast jobs list', 'holdfast jobs retry reconcile'],
  });

  define(jobs, {
    name: 'list',
    what: 'every job with the outcome of its last run',
    examples: ['holdfast jobs list', 'holdfast jobs list --failed'],
  })
    .option('--failed', 'only jobs whose last run failed')
    .action(
      action<{ readonly failed?: boolean }>(async ({ client, out, options: { failed } }) => {
        const all = await client.service.jobs();
        const found = failed ? all.filter(({ lastOutcome }) => lastOutcome === 'failed') : all;
        if (out.isJson) return out.json(found);
        if (found.length === 0) out.note('No failed jobs.');
        else
          out.table(
            found.map((job) => ({ ...job, id: job.name })),
            JOBS,
          );
      }),
    );

  define(jobs, {
    name: 'retry <name>',
    what: 'run a job again at once whose last run failed',
    examples: ['holdfast jobs retry reconcile'],
  }).action(
    action(async ({ client, out }, [name]) => {
      const job = await client.service.retryJob(name!);
      if (out.isJson) return out.json(job);
      out.line(`The job ${job.name} runs again. \`holdfast jobs list\` shows how it ends.`);
    }),
  );
};
