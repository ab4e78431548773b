// Health, alerts and configuration of the server.

import type { SystemAlert } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, pageOptions } from '../define.ts';
import { EXIT } from '../failures.ts';
import { action, type PageOptions, pageQuery, showPage } from '../run.ts';
import { clockOf } from '../times.ts';
import type { Column } from '../view/table.ts';

const KINDS: readonly SystemAlert['kind'][] = [
  'BREAK',
  'TREASURY_LOW',
  'OPERATION_STUCK',
  'WITHDRAWAL_STUCK',
  'DEADLINE_STUCK',
  'ENDPOINT_DISABLED',
  'PROOF_FAILED',
  'BACKUP_LATE',
  'APPROVAL_WAITING',
];

const COLUMNS: readonly Column<SystemAlert>[] = [
  { title: 'id', of: ({ id }) => id, minor: true },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'since', of: ({ since }) => clockOf(since) },
  { title: 'ended', of: ({ closedAt }) => (closedAt === null ? '' : clockOf(closedAt)) },
  { title: 'subject', of: ({ subject }) => subject, flexible: true },
  { title: 'message', of: ({ message }) => message, flexible: true },
];

type AlertOptions = PageOptions & { readonly kind?: SystemAlert['kind']; readonly all?: boolean };

const addAlertCommand = (program: Command): void => {
  pageOptions(
    define(program, {
      name: 'alerts',
      what: 'conditions that a person has to look at, newest first',
      examples: ['holdfast alerts', 'holdfast alerts --all --kind BREAK'],
      ids: true,
    }),
  )
    .option('--all', 'also alerts that have ended')
    .addOption(choice('--kind <kind>', { what: 'only alerts of this kind', of: KINDS }))
    .action(
      action<AlertOptions>(async (run) => {
        const { kind, all } = run.options;
        const list = run.client.alerts.list({ ...pageQuery(run.options), kind, ...(all ? {} : { status: 'OPEN' }) });
        await showPage(run, { list, columns: COLUMNS, none: 'No alerts.' });
      }),
    );
};

export const addServiceCommands = (program: Command): void => {
  define(program, {
    name: 'health',
    what: 'check every part of the server; exits with 1 when one is down',
    examples: ['holdfast health'],
  }).action(
    action(async ({ client, out }) => {
      const health = await client.service.detailedHealth();
      if (out.isJson) out.json(health);
      else {
        const colours = {
          ok: out.paint.green,
          degraded: out.paint.yellow,
          down: out.paint.red,
          not_configured: out.paint.dim,
        };
        out.table(health.probes, [
          { title: 'part', of: ({ name }) => name },
          { title: 'status', of: ({ status }) => status, paint: (text, { status }) => colours[status](text) },
          { title: 'duration', align: 'right', of: ({ durationMs }) => `${Math.round(durationMs)} ms` },
          { title: 'detail', of: ({ detail }) => detail, flexible: true },
        ]);
        out.line('');
        out.line(
          `${colours[health.status](health.status)}: version ${health.version}, up for ${Math.round(health.uptimeSeconds)} s`,
        );
      }
      return health.status === 'down' ? EXIT.refused : EXIT.fine;
    }),
  );

  addAlertCommand(program);

  define(program, {
    name: 'config',
    what: 'show currencies, fee and limits',
    examples: ['holdfast config'],
  }).action(
    action(async ({ client, out }) => {
      const config = await client.service.config();
      if (out.isJson) return out.json(config);
      const { amounts, rateLimit } = config;
      out.facts([
        ['version', `${config.version} (API ${config.apiVersion})`],
        ['base currency', config.baseCurrency],
        ['currencies', config.currencies.join(', ')],
        ['platform fee', `${config.platformFeePercent} %`],
        ['orders', `${amounts.order.min} to ${amounts.order.max}`],
        ['top-ups', `${amounts.topup.min} to ${amounts.topup.max}`],
        ['withdrawals', `${amounts.withdrawal.min} to ${amounts.withdrawal.max}`],
        ['requests', `${rateLimit.max} per key in ${rateLimit.windowSeconds} s`],
        ['events kept', `${config.eventRetentionDays} days`],
        ['sandbox', config.sandbox ? 'yes: no real money' : 'no'],
      ]);
    }),
  );
};
