// Loaded into a server before anything else (`node --import`): its wall clock is off by as many seconds as a file says, which
// is read again whenever the process is told to (SIGUSR2). Timers and performance.now() are not touched, as with a real clock.

import { readFileSync } from 'node:fs';

const RealDate = globalThis.Date;
const file = process.env.DRILL_CLOCK ?? '';
const read = (): number => Number(readFileSync(file, 'utf8')) * 1_000;

let offsetMs = read();
process.on('SIGUSR2', () => {
  offsetMs = read();
});

const now = (): number => RealDate.now() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: (target) => new target(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
