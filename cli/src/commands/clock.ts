// The sandbox's clock, which can be moved forward.

import type { Command } from 'commander';
import { define } from '../define.ts';
import { action } from '../run.ts';
import { secondsOf } from '../spans.ts';

export const addClockCommand = (program: Command): void => {
  const clock = define(program, {
    name: 'clock',
    what: "the time of the sandbox's outside systems",
    examples: ['holdfast clock advance 1d 2h', 'holdfast clock show'],
  });

  define(clock, { name: 'show', what: 'what time it is there', examples: ['holdfast clock show'] }).action(
    action(async ({ client, out }) => {
      const { time } = await client.sandbox.state();
      if (out.isJson) out.json({ time });
      else out.line(time);
    }),
  );

  define(clock, {
    name: 'advance <span...>',
    what: 'move it forward; everything that is due on the way happens',
    examples: ['holdfast clock advance 1d 2h', 'holdfast clock advance 90s'],
  }).action(
    action(async ({ client, out }, parts) => {
      const result = await client.sandbox.advanceClock({ seconds: secondsOf(parts) });
      if (out.isJson) out.json(result);
      else out.line(`It is ${result.time} there now.`);
    }),
  );
};
