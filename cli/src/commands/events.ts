// The event stream: to watch it, and to forward it as webhooks.

import type { Command } from 'commander';
import { atLeastOne, define } from '../define.ts';
import { expectServer, sayStates, typesOf } from '../event-choice.ts';
import { EXIT, type ExitCode } from '../failures.ts';
import { action, endOf, type Run, untilInterrupted } from '../run.ts';
import { momentOf } from '../times.ts';
import { eventLine } from '../view/event-line.ts';
import { addEventForward } from './events-forward.ts';

type TailOptions = { readonly since?: string; readonly types?: string; readonly count?: number };

const tail = async (run: Run<TailOptions>): Promise<ExitCode> => {
  const { client, out, options, signal } = run;
  const since = options.since === undefined ? undefined : momentOf(options.since);
  const types = typesOf(options.types);
  await expectServer(run);
  let seen = 0;
  for await (const event of client.events({ since, types, signal, onState: sayStates(out) })) {
    if (out.isJson) out.jsonLine(event);
    else out.line(eventLine(event, out));
    seen += 1;
    if (seen === options.count) return EXIT.fine;
  }
  return endOf(options);
};

export const addEventCommands = (program: Command): void => {
  const events = define(program, {
    name: 'events',
    what: 'the event stream',
    examples: ['holdfast events tail', 'holdfast events forward --to http://127.0.0.1:3000/webhooks'],
  });

  define(events, {
    name: 'tail',
    what: 'show events live; with --json one JSON object per line',
    examples: ['holdfast events tail --since 1h', "holdfast events tail --types 'order.*,dispute.opened' --json"],
  })
    .option('--since <time>', 'start: how long ago, such as 10m, or an ISO time')
    .option('--types <types>', 'only these event types, separated by commas; order.* means all order events')
    .option('--count <count>', 'stop after this many events', atLeastOne)
    .action(action<TailOptions>((run) => untilInterrupted(() => tail(run), run.options)));

  addEventForward(events);
};
