// Runs all measurements one after the other and writes what each prints into its block of docs/benchmarks.md. A measurement that fails
// leaves its block as it was, and the others still run. Other work on the machine changes the figures.
//
//   node bench/all.ts [--only committer,stream] [--quick]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { scriptCommand } from '../server/src/programs/script-command.ts';
import { say } from '../tools/measure/options.ts';
import { placeBlock } from '../tools/measure/page-blocks.ts';

type Bench = {
  /** `bench:NAME`, which is also the name of its block. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** For a first try of the whole run. */
  readonly quick: readonly string[];
  /** For a measurement that prints a table only. */
  readonly title?: string;
};

const SHORT = ['--seconds', '0.5', '--rounds', '1'];

const BENCHES: readonly Bench[] = [
  { name: 'committer', file: 'committer.ts', args: ['--markdown'], quick: SHORT },
  { name: 'http', file: 'http.ts', args: ['--markdown'], quick: SHORT },
  { name: 'orders', file: 'orders.ts', args: ['--markdown'], quick: SHORT },
  {
    name: 'order-waits',
    file: 'order-waits.ts',
    args: [],
    quick: ['--rounds', '1'],
    title: 'What the requests of an order wait for',
  },
  { name: 'growth', file: 'growth.ts', args: ['--markdown'], quick: [...SHORT, '--sizes', '0,100000'] },
  { name: 'deadlines', file: 'deadlines.ts', args: ['--markdown'], quick: [...SHORT, '--sizes', '10000'] },
  {
    name: 'large',
    file: 'large.ts',
    args: ['--markdown'],
    quick: ['--users', '1000', '--orders', '10000', '--postings', '100000', '--times', '2'],
  },
  { name: 'stream', file: 'stream.ts', args: ['--markdown'], quick: ['--connections', '500', '--seconds', '1'] },
  {
    name: 'webhooks',
    file: 'webhooks.ts',
    args: ['--markdown'],
    quick: ['--seconds', '2', '--marketplaces', '5', '--burst', '20'],
  },
  { name: 'ledger', file: 'ledger-requests.ts', args: [], quick: [], title: 'Requests to the ledger' },
  { name: 'processes', file: 'processes.ts', args: ['--markdown'], quick: SHORT },
];

const PAGE = path.resolve(import.meta.dirname, '../docs/benchmarks.md');

const names = (text: string): string[] => text.split(',');

const options = scriptCommand('bench', 'Runs all measurements and writes their figures to docs/benchmarks.md.')
  .option('--only <names>', 'only these measurements, with commas', names)
  .option('--quick', 'short measurements, to try the run; their figures mean nothing', false)
  .option('--dry-run', 'print the figures and leave the page as it is', false)
  .parse()
  .opts<{ only?: string[]; quick: boolean; dryRun: boolean }>();

let running: ReturnType<typeof spawn> | null = null;
// The measurement that runs gets the signal too, and removes what it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    running?.kill(signal);
    process.exitCode = 130;
  });
}

/** What the measurement prints; null when it fails. Its progress is shown. */
const run = async ({ file, args, quick }: Bench): Promise<string | null> => {
  const own = [...args, ...(options.quick ? quick : [])];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file), ...own], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [code] = await once(child, 'close');
  running = null;
  return code === 0 ? text : null;
};

const withTitle = ({ title, file, args }: Bench, text: string): string => {
  if (title === undefined) return text;
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `### ${title}\n\n${date} UTC, \`${['node', `bench/${file}`, ...args].join(' ')}\`.\n\n${text}`;
};

const wanted = BENCHES.filter(({ name }) => options.only?.includes(name) ?? true);
const unknown = options.only?.filter((name) => !BENCHES.some((bench) => bench.name === name)) ?? [];
if (unknown.length > 0)
  throw new Error(`there is no measurement ${unknown}; there are ${BENCHES.map(({ name }) => name)}`);

for (const [place, bench] of wanted.entries()) {
  if (process.exitCode === 130) break;
  const started = performance.now();
  say(`bench:${bench.name}, ${place + 1} of ${wanted.length}`);
  const text = await run(bench);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  if (text === null) {
    say(`bench:${bench.name} failed after ${minutes} min`);
    process.exitCode ??= 1;
    continue;
  }
  const shown = withTitle(bench, text);
  // Read again each time: the run takes long, and the page may have been changed by hand.
  if (options.dryRun) console.log(shown);
  else await writeFile(PAGE, placeBlock(await readFile(PAGE, 'utf8'), { name: `bench:${bench.name}`, text: shown }));
  say(`bench:${bench.name} took ${minutes} min`);
}
