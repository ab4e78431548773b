// Faults of the sandbox: how the simulators of the outside systems misbehave.

import type { ArmSandboxFaultInput, SandboxFault } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, define } from '../define.ts';
import { action } from '../run.ts';
import type { Column } from '../view/table.ts';

const FAULTS: readonly Column<SandboxFault>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'operation', of: ({ operation }) => operation },
  { title: 'fault', of: ({ fault }) => fault },
  { title: 'count', align: 'right', of: ({ count }) => String(count) },
  { title: 'delay', align: 'right', of: ({ delayMs }) => (delayMs === null ? null : `${delayMs} ms`) },
  { title: 'match', of: ({ match }) => match },
];

type AddOptions = { readonly count?: number; readonly delay?: number; readonly match?: string };

export const addFaultCommands = (program: Command): void => {
  const faults = define(program, {
    name: 'faults',
    what: 'make the simulators of the sandbox misbehave',
    examples: ['holdfast faults add fund lost-answer', 'holdfast faults clear'],
  });

  define(faults, {
    name: 'list',
    what: 'armed faults; with --known all supported faults',
    examples: ['holdfast faults list --known'],
  })
    .option('--known', 'the faults that each operation supports')
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
        if (armed.length === 0) out.note('No faults are armed.');
        else out.table(armed, FAULTS);
      }),
    );

  define(faults, {
    name: 'add <operation> <fault>',
    ids: true,
    what: 'make the next calls of an operation misbehave; `faults list --known` shows operations and faults',
    examples: ['holdfast faults add deploy lost-answer', 'holdfast faults add payin slow --count 3 --delay 1500'],
  })
    .option('--count <count>', 'how many calls the fault affects', atLeastOne)
    .option('--delay <ms>', 'delay in milliseconds, for faults that take time', atLeastOne)
    .option('--match <id>', 'only calls about this order, top-up, withdrawal or address')
    .action(
      action<AddOptions>(async ({ client, out, options }, [operation, fault]) => {
        const armed = await client.sandbox.armFault({
          operation: operation as ArmSandboxFaultInput['operation'],
          fault: fault as ArmSandboxFaultInput['fault'],
          count: options.count,
          delayMs: options.delay,
          match: options.match,
        });
        if (out.isJson) out.json(armed);
        else out.table([armed], FAULTS);
      }),
    );

  define(faults, {
    name: 'clear',
    what: 'clear all faults',
    examples: ['holdfast faults clear'],
  }).action(
    action(async ({ client, out }) => {
      const result = await client.sandbox.clearFaults();
      if (out.isJson) out.json(result);
      else out.line('All faults cleared.');
    }),
  );
};
