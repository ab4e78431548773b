// The tree of commands. Help, completion and the suggestion after a mistyped name are generated from it.

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addApprovalCommands } from './commands/approvals.ts';
import { addArchiveCommands } from './commands/archive.ts';
import { addAuditCommand, addProofCommand } from './commands/audit.ts';
import { addClockCommand } from './commands/clock.ts';
import { addClosingCommand } from './commands/closing.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDistributeCommand, addMigrateCommand, addWalletCommands } from './commands/database.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDevCommand } from './commands/dev.ts';
import { addDisputeCommands } from './commands/disputes.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addStatementCommand } from './commands/documents.ts';
import { addEventCommands } from './commands/events.ts';
import { addExportCommand } from './commands/export.ts';
import { addFaultCommands } from './commands/faults.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addLimitCommands } from './commands/limits.ts';
import { addLoadCommand } from './commands/load.ts';
import { addLoginCommands } from './commands/login.ts';
import { addMarketplaceCommands } from './commands/marketplaces.ts';
import { addOrderCommands } from './commands/orders.ts';
import { addBreakCommands } from './commands/oversight/breaks.ts';
import { addCorrectionCommands } from './commands/oversight/corrections.ts';
import { addJobCommands, addOperationCommands } from './commands/oversight/operations.ts';
import { addDeadlineCommands, addPolicyCommands } from './commands/oversight/policies.ts';
import { addProviderStatementCommands } from './commands/oversight/provider-statements.ts';
import { addPaymentCommands } from './commands/payments.ts';
import { addNoteCommands } from './commands/people/notes.ts';
import { addOperatorCommands } from './commands/people/operators.ts';
import { addReportCommands } from './commands/reports.ts';
import { addServerCommands } from './commands/server.ts';
import { addServiceCommands } from './commands/service.ts';
import { addTopupCommands } from './commands/topups.ts';
import { addTriggerCommand } from './commands/trigger.ts';
import { addUserCommands } from './commands/users.ts';
import { addWebhookCommands } from './commands/webhooks.ts';
import { addWithdrawalCommands } from './commands/withdrawals.ts';
import { addImportCommand } from './import/command.ts';
import { addInitCommand } from './init/command.ts';
import { addPreviews } from './preview.ts';

const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

const EXIT_CODES = `
Exit codes:
  0    success
  1    refused, or a check failed
  2    wrong usage
  3    the server cannot be reached
  4    nothing was done yet: the request waits for approval
  130  interrupted`;

/** In the order of the help: getting started, daily work, testing, operating. */
const ADDITIONS = [
  ...[addDevCommand, addDemoCommand, addInitCommand, addLoginCommands],
  ...[
    addKeyCommands,
    addOperatorCommands,
    addUserCommands,
    addOrderCommands,
    addPolicyCommands,
    addDeadlineCommands,
    addDisputeCommands,
    addTopupCommands,
    addWithdrawalCommands,
  ],
  ...[addApprovalCommands, addNoteCommands],
  ...[addCorrectionCommands, addBreakCommands, addProviderStatementCommands, addOperationCommands, addJobCommands],
  ...[addEventCommands, addWebhookCommands, addTriggerCommand, addFaultCommands, addClockCommand, addLoadCommand],
  ...[
    addProofCommand,
    addAuditCommand,
    addClosingCommand,
    addReportCommands,
    addStatementCommand,
    addExportCommand,
    addImportCommand,
    addMarketplaceCommands,
    addPaymentCommands,
    addLimitCommands,
    addWalletCommands,
    addServerCommands,
    addMigrateCommand,
    addDistributeCommand,
    addArchiveCommands,
    addDoctorCommand,
    addServiceCommands,
  ],
  addCompletionCommand,
];

type ProgramOptions = {
  /** Receives the help and the message after wrong usage. */ sayUsage(text: string): void;
};

export const createProgram = ({ sayUsage }: Partial<ProgramOptions> = {}): Command => {
  const program = new Command('holdfast')
    .description('Marketplace money from the command line: users, orders, escrow, events and the proof of balances.')
    .version(VERSION, '--version', 'show the version')
    .option('--url <url>', 'address of the server (HOLDFAST_URL)')
    .option('--key <key>', 'API key or master key (HOLDFAST_KEY)')
    .option('--marketplace <id>', 'marketplace to use; only with the master key (HOLDFAST_MARKETPLACE)')
    .option('--json', 'print JSON on standard output, and all messages on standard error')
    .option('--ids', 'print only the ids of the result, for scripts')
    .option('--verbose', 'print the settings that are used, and every request')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError()
    .showHelpAfterError('--help shows the commands and options.')
    .exitOverride()
    .configureOutput(sayUsage ? { writeErr: sayUsage } : {})
    .addHelpText('after', EXIT_CODES)
    .addHelpText('after', '\nExample:\n  $ holdfast dev\n  $ holdfast orders run --amount 20.00 --release');
  for (const add of ADDITIONS) add(program);
  addPreviews(program);
  return program;
};
