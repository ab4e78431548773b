// `load`: a short load test. GET /health in the same run shows the cost of the machine and of HTTP; the proof of balances afterwards
// shows that no money was lost. Only on a server with the sandbox, because the test credits by hand.

import { type Command, InvalidArgumentError } from 'commander';
import { atLeastOne, define } from '../define.ts';
import { EXIT, failure } from '../failures.ts';
import { type Measuring, measure, type Sample } from '../load-sample.ts';
import { agreementOf } from '../order-input.ts';
import { action, type Run } from '../run.ts';
import { showProof } from '../view/proof.ts';

type LoadOptions = { readonly seconds: number; readonly connections: number; readonly orders?: boolean };

const CREDIT = '1.00';
const PRICE = '1.00';
/** The opening credit of a buyer, so that the order test measures orders and not credits. */
const OPENING_CREDIT = '10000.00';
/** A life is five requests, three of which wait for the outside systems. */
const LIFE_GRACE_MS = 60_000;
const BAR_CELLS = 30;
/** More connections would measure the machine of the client. */
const CONNECTIONS_MAX = 256;

const perSecond = ({ count, seconds }: Sample): string => String(Math.round(count / seconds));

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

/** The users of this test, one for each connection. */
const makeUsers = ({ client, options }: Run<LoadOptions>, name: string): Promise<string[]> =>
  Promise.all(
    Array.from({ length: options.connections }, async (_, at) => {
      const externalUserId = `load-${name}-${process.pid}-${Date.now()}-${at}`;
      return (await client.users.create({ externalUserId })).id;
    }),
  );

const progressOf =
  ({ out }: Run<LoadOptions>, title: string) =>
  (done: number) => {
    if (!out.canRedraw) return;
    const full = Math.min(BAR_CELLS, Math.round(done * BAR_CELLS));
    out.redraw(`${title.padEnd(14)} ${'█'.repeat(full)}${out.notePaint.dim('░'.repeat(BAR_CELLS - full))}`);
  };

/** A load test measures single attempts, so no request is retried. */
const once = (signal: AbortSignal) => ({ maxRetries: 0, signal });

const failuresOf = ({ errors }: Sample): number => Object.values(errors).reduce((sum, count) => sum + count, 0);

const wentWell = (sample: Sample): boolean => sample.count > 0 && failuresOf(sample) <= sample.count;

const connectionsOf = (text: string): number => {
  const count = atLeastOne(text);
  if (count > CONNECTIONS_MAX) throw new InvalidArgumentError(`It must be at most ${CONNECTIONS_MAX}.`);
  return count;
};

const runPhases = async (run: Run<LoadOptions>): Promise<Sample[]> => {
  const { client, options, signal } = run;
  const phase = (name: string, call: Measuring['call'], graceMs?: number): Promise<Sample> =>
    measure({ ...options, name, call, graceMs, signal, onProgress: progressOf(run, name) });

  const samples = [await phase('GET /health', (_, ends) => client.service.health(once(ends)))];
  const users = await makeUsers(run, 'user');
  samples.push(
    await phase('credits', (at, ends) => client.balances.credit(users[at]!, { amount: CREDIT }, once(ends))),
  );
  if (options.orders) {
    const sellers = await makeUsers(run, 'seller');
    await Promise.all(users.map((id) => client.balances.credit(id, { amount: OPENING_CREDIT })));
    const life = async (at: number, ends: AbortSignal): Promise<void> => {
      const how = once(ends);
      const sides = { buyerId: users[at]!, sellerId: sellers[at]! };
      const { id } = await client.orders.create({ ...sides, ...agreementOf({ amount: PRICE }) }, how);
      await client.orders.reserve(id, how);
      await client.orders.createEscrow(id, how);
      await client.orders.fundEscrow(id, how);
      await client.orders.release(id, {}, how);
    };
    samples.push(await phase('order lives', life, LIFE_GRACE_MS));
  }
  return samples;
};

const showSamples = ({ out }: Run<LoadOptions>, samples: readonly Sample[]): void => {
  out.table(samples, [
    { title: 'request', of: ({ name }) => name },
    { title: 'done', align: 'right', of: ({ count }) => String(count) },
    { title: 'per second', align: 'right', of: perSecond },
    { title: 'p50', align: 'right', of: ({ p50 }) => ms(p50) },
    { title: 'p95', align: 'right', of: ({ p95 }) => ms(p95) },
    { title: 'p99', align: 'right', of: ({ p99 }) => ms(p99) },
    {
      title: 'errors',
      flexible: true,
      of: ({ errors }) =>
        Object.entries(errors)
          .map(([code, count]) => `${count} ${code}`)
          .join(', ') || 'none',
    },
  ]);
  if (samples.some(({ errors }) => errors.RATE_LIMITED)) {
    out.note(
      'The key is rate limited. Create a key with a higher limit: `holdfast keys create load --rate-limit 1000000`.',
    );
  }
};

export const addLoadCommand = (program: Command): void => {
  define(program, {
    name: 'load',
    what: 'a short load test against a server with the sandbox, followed by the proof of balances',
    examples: ['holdfast load --seconds 5 --connections 16', 'holdfast load --orders'],
  })
    .option('--seconds <count>', 'duration of each part', atLeastOne, 5)
    .option('--connections <count>', 'concurrent requests; at most 256', connectionsOf, 8)
    .option('--orders', 'also measure complete orders')
    .action(
      action<LoadOptions>(async (run) => {
        const { client, out } = run;
        if (!(await client.service.config()).sandbox) {
          throw failure(
            'A load test credits by hand, and this server has no sandbox. Use one that `holdfast dev` started.',
          );
        }
        // The bar is always removed, so that the next message begins on its own line.
        const samples = await runPhases(run).finally(() => out.canRedraw && out.redraw(''));
        const proof = await client.audit.proof();
        if (out.isJson) out.json({ samples, proof });
        else {
          showSamples(run, samples);
          out.line('');
          showProof(out, { proof, isSandbox: true });
        }
        return proof.holds && samples.every(wentWell) ? EXIT.fine : EXIT.refused;
      }),
    );
};
