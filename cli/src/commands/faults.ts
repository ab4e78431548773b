// Faults of the sandbox: how its twins of the outside systems misbehave.

import type { ArmSandboxFaultInput, SandboxFault } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, define } from '../define.ts';
import { action } from '../run.ts';
import type { Column } from '../view/table.ts';

const FAULTS: readonly Column<SandboxFault>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'operation', of: ({ operation }) => operation },
  { title: 'fault', of: ({ fault }) => fault },
  { title: 'times', align: 'right', of: ({ count }) => String(count) },
  { title: 'delay', align: 'right', of: ({ delayMs }) => (delayMs === null ? null : `${delayMs} ms`) },
  { title: 'only about', of: ({ match }) => match },
];

type AddOptions = { readonly count?: number; readonly delay?: number; readonly match?: string };

export const addFaultCommands = (program: Command): void => {
  const faults = define(program, {
    name: 'faults',
    what: 'make the outside systems of the sandbox misbehave',
    examples: ['holdfast faults add fund lost-answer', 'holdfast faults clear'],
  });

  define(faults, {
    name: 'list',
    what: 'what is armed; with --known every fault that can be',
    examples: ['holdfast faults list --known'],
  })
    .option('--known', 'which faults each operation knows')
    .action(
      action<{ readonly known?: boolean }>(async ({ client, out, options }) => {
        const { faults: armed, operations } = await client.sandbox.faults();
        if (out.isJson) return out.json({ faults: armed, operations });
        if (options.known) {
          return out.table(Object.entries(operations), [
            { title: 'operation', of: ([operation]) => operation },
            { title: 'faults', of: ([, known]) => known.join(' '), flexible: true },
          ]);
        }
        if (armed.length === 0) out.note('Nothing is armed: the outside systems behave.');
        else out.table(armed, FAULTS);
      }),
    );

  define(faults, {
    name: 'add <operation> <fault>',
    ids: true,
    what: 'have the next calls of an operation misbehave; `faults list --known` shows both',
    examples: ['holdfast faults add deploy lost-answer', 'holdfast faults add payin slow --count 3 --delay 1500'],
  })
    .option('--count <count>', 'how many calls', atLeastOne)
    .option('--delay <ms>', 'of those that take time, in milliseconds', atLeastOne)
    .option('--match <id>', 'only calls about this order, top-up, withdrawal or address')
    .action(
      action<AddOptions>(async ({ client, out, options }, [operation, fault]) => {
        const armed = await client.sandbox.armFault({
          operation: operation as ArmSandboxFaultInput['operation'],
          fault: fault as ArmSandboxFaultInput['fault'],
          ...{ count: options.count, delayMs: options.delay, match: options.match },
        });
        if (out.isJson) out.json(armed);
        else out.table([armed], FAULTS);
      }),
    );

  define(faults, {
    name: 'clear',
    what: 'disarm everything',
    examples: ['holdfast faults clear'],
  }).action(
    action(async ({ client, out }) => {
      const result = await client.sandbox.clearFaults();
      if (out.isJson) out.json(result);
      else out.line('Nothing is armed any more.');
    }),
  );
};
