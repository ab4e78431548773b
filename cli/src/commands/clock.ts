// The clock of the sandbox, which can be moved forward.

import type { Command } from 'commander';
import { define } from '../define.ts';
import { action } from '../run.ts';
import { secondsOf } from '../times.ts';

export const addClockCommand = (program: Command): void => {
  const clock = define(program, {
    name: 'clock',
    what: 'the clock of the simulators',
    examples: ['holdfast clock advance 1d 2h', 'holdfast clock show'],
  });

  define(clock, { name: 'show', what: 'show the time of the simulators', examples: ['holdfast clock show'] }).action(
    action(async ({ client, out }) => {
      const { time } = await client.sandbox.state();
      if (out.isJson) out.json({ time });
      else out.line(time);
    }),
  );

  define(clock, {
    name: 'advance <span...>',
    what: 'move the clock forward; everything that falls due happens',
    examples: ['holdfast clock advance 1d 2h', 'holdfast clock advance 90s'],
  }).action(
    action(async ({ client, out }, parts) => {
      const result = await client.sandbox.advanceClock({ seconds: secondsOf(parts) });
      if (out.isJson) out.json(result);
      else out.line(`The clock of the simulators is now ${result.time}.`);
    }),
  );
};
