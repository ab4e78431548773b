// The report of an overload as markdown: what was proved, and how long answers and refusals took beside what they took at ease.

import { percentiles } from '../measure/rounds.ts';
import type { ClientsAnswer } from './overload-clients.ts';
import type { Mode, Overload } from './overload-run.ts';
import { type Cell, type Finding, mib, pair, table } from './tables.ts';

/** What is remembered of a clients when it has gone: its buffers are not, so this is little. */
const HEAP_TOLERANCE = 24 * 2 ** 20;
/** Buffers and answers of a few thousand connections; far from what would bring a server down. */
const RSS_TOLERANCE = 512 * 2 ** 20;
/** On a machine that others use too. */
const BACK_RATIO = 2;

const told = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted()
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ') || 'none';

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const booksOf = ({ books }: Overload): Finding => {
  const { acknowledged, unanswered, lost, twice, unknown, proofHolds } = books;
  return {
    promise: 'everything that was acknowledged is in the books once, and the proof holds',
    holds: lost + twice + unknown === 0 && proofHolds,
    detail: `${acknowledged} credits, ${lost} lost, ${twice} twice, ${unknown} that nobody was told of; ${unanswered} without an answer`,
  };
};

export const overloadVerdict = (overload: Overload): Finding[] => {
  const { before, clients, after, health, memory } = overload;
  const calm = percentiles(before.acceptedMs);
  const back = percentiles(after.acceptedMs);
  return [
    {
      promise: 'every answer is a success or a refusal in its proper form, with Retry-After',
      holds: clients.oddCount === 0 && sum(clients.cut) === 0,
      detail: `${clients.oddCount} in no proper form, without an answer: ${told(clients.cut)}`,
    },
    {
      promise: 'it refuses what it cannot take',
      holds: clients.refusedCount > 0,
      detail: `${sum(clients.counts) - clients.refusedCount} taken, ${clients.refusedCount} refused`,
    },
    {
      promise: 'its health can be asked for all the while',
      holds: sum(health.others) === 0 && health.timesMs.length > 0,
      detail: `${health.timesMs.length} answers; others: ${told(health.others)}`,
    },
    {
      promise: 'memory is bounded',
      holds: memory.rssMost - memory.rssBefore < RSS_TOLERANCE && memory.heapAfter - memory.heapBefore < HEAP_TOLERANCE,
      detail:
        `resident ${mib(memory.rssBefore).toFixed(0)} MiB before, at most ${mib(memory.rssMost).toFixed(0)} MiB; heap after ` +
        `collections ${mib(memory.heapBefore).toFixed(0)} MiB before, ${mib(memory.heapAfter).toFixed(0)} MiB afterwards`,
    },
    {
      promise: `afterwards it is as fast as before (median within ${BACK_RATIO} times)`,
      holds: back.p50Ms <= calm.p50Ms * BACK_RATIO && after.refusedCount === 0,
      detail: `p50 / p99 ${pair(calm.p50Ms, calm.p99Ms)} ms before, ${pair(back.p50Ms, back.p99Ms)} ms afterwards`,
    },
    booksOf(overload),
  ];
};

const MODES: Readonly<Record<Mode, string>> = {
  queues: 'No limit of requests per key: what refuses is how many are worked on at once',
  rate: 'A limit of requests per key and second: what refuses is mostly that',
};

export const overloadReport = (overload: Overload, mode: Mode): string => {
  const { before, full, clients, clientsMs, after, health } = overload;
  const row = (name: string, of: { times: readonly number[]; seconds: number | null }): Cell[] => {
    const { p50Ms, p99Ms } = percentiles(of.times);
    const calm = percentiles(before.acceptedMs).p99Ms;
    const perSecond = of.seconds === null ? null : Math.round(of.times.length / of.seconds);
    return [name, of.times.length, perSecond, pair(p50Ms, p99Ms), (p99Ms / calm).toFixed(1)];
  };
  const seconds = clientsMs / 1_000;
  const calm = (name: string, { acceptedMs }: ClientsAnswer): Cell[] => row(name, { times: acceptedMs, seconds: null });
  return [
    `${MODES[mode]}.`,
    table(
      ['', 'answers', 'per second', 'p50 / p99 ms', 'p99, × at ease'],
      [
        calm('at ease, 8 connections', before),
        calm('busy, 64 connections', full),
        row('overload: taken', { times: clients.acceptedMs, seconds }),
        row('overload: refused', { times: clients.refusedMs, seconds }),
        row('overload: first answer on a new connection', { times: clients.freshMs, seconds: null }),
        row('overload: health, each on a new connection', { times: health.timesMs, seconds: null }),
        calm('at ease again', after),
      ],
    ),
    `Answers under overload: ${told(clients.counts)}. Slow senders that were sent away: ${clients.sentAway}. The ` +
      `clients's own process was late by ${pair(clients.ownDelayMs.p50, clients.ownDelayMs.p99)} ms (p50 / p99).`,
    ...(clients.odd.length > 0 ? [clients.odd.map((line) => `- ${line}`).join('\n')] : []),
  ].join('\n\n');
};
