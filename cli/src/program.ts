// The tree of commands. Help, completion and the suggestion after a mistyped name all come from it.

import { Command } from 'commander';
import { addAuditCommand } from './commands/audit.ts';
import { addClockCommand } from './commands/clock.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDevCommand } from './commands/dev.ts';
import { addDisputeCommands } from './commands/disputes.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventCommands } from './commands/events.ts';
import { addFaultCommands } from './commands/faults.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addLoadCommand } from './commands/load.ts';
import { addLoginCommands } from './commands/login.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOrderCommands } from './commands/orders.ts';
import { addProofCommand } from './commands/proof.ts';
import { addServiceCommands } from './commands/service.ts';
import { addTopupCommands } from './commands/topups.ts';
import { addTriggerCommand } from './commands/trigger.ts';
import { addUserCommands } from './commands/users.ts';
import { addWalletCommands } from './commands/wallets.ts';
import { addWithdrawalCommands } from './commands/withdrawals.ts';
import { VERSION } from './version.ts';

const EXIT_CODES = `
Exit codes:
  0    fine
  1    refused, or what was checked does not hold
  2    wrong usage
  3    the server cannot be reached
  130  interrupted before it was done`;

/** In the order in which help lists them: to begin with, to work with, to try things out, to operate. */
const ADDITIONS = [
  ...[addDevCommand, addDemoCommand, addLoginCommands],
  ...[addKeyCommands, addUserCommands, addOrderCommands, addDisputeCommands, addTopupCommands, addWithdrawalCommands],
  ...[addEventCommands, addTriggerCommand, addFaultCommands, addClockCommand, addLoadCommand],
  ...[addProofCommand, addAuditCommand, addWalletCommands, addMigrateCommand, addDoctorCommand, addServiceCommands],
  addCompletionCommand,
];

export type ProgramOptions = { /** Where help after a mistake and its sentence go. */ sayUsage(text: string): void };

export const createProgram = ({ sayUsage }: Partial<ProgramOptions> = {}): Command => {
  const program = new Command('holdfast')
    .description('Marketplace money from the command line: users, orders, escrow, events, and the proof.')
    .version(VERSION, '--version', 'show the version')
    .option('--url <url>', 'where the server is (HOLDFAST_URL)')
    .option('--key <key>', 'API key or master key (HOLDFAST_KEY)')
    .option('--marketplace <id>', 'which marketplace; only the master key may choose (HOLDFAST_MARKETPLACE)')
    .option('--json', 'JSON on standard output, everything else on standard error')
    .option('--ids', 'only the ids of what was made or found, for scripts')
    .option('--verbose', 'say which settings are used, and every request')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput(sayUsage ? { writeErr: sayUsage } : {})
    .addHelpText('after', EXIT_CODES)
    .addHelpText('after', '\nExample:\n  $ holdfast dev\n  $ holdfast orders run --amount 20.00 --release');
  for (const add of ADDITIONS) add(program);
  return program;
};
