// The report of an overload as markdown: its findings, and the response times compared with those of an idle server.

import { percentiles } from '../measure/rounds.ts';
import type { ClientsAnswer } from './overload-clients.ts';
import type { Mode, Overload } from './overload-run.ts';
import { type Cell, type Finding, mib, pair, table } from './tables.ts';

/** Heap that may remain when the clients have gone: their buffers are freed, so it is small. */
const HEAP_TOLERANCE = 24 * 2 ** 20;
/** Buffers and answers of a few thousand connections; far from what would bring a server down. */
const RSS_TOLERANCE = 512 * 2 ** 20;
/** The machine may have other load. */
const BACK_RATIO = 2;

const listCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted()
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ') || 'none';

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const booksOf = ({ books }: Overload): Finding => {
  const { acknowledged, unanswered, lost, twice, unknown, proofHolds } = books;
  return {
    promise: 'every acknowledged write is in the books once, and the proof holds',
    holds: lost + twice + unknown === 0 && proofHolds,
    detail: `${acknowledged} credits, ${lost} lost, ${twice} twice, ${unknown} without an acknowledgement; ${unanswered} without an answer`,
  };
};

export const overloadVerdict = (overload: Overload): Finding[] => {
  const { before, clients, after, health, memory } = overload;
  const calm = percentiles(before.acceptedMs);
  const back = percentiles(after.acceptedMs);
  return [
    {
      promise: 'every answer is a success or a well-formed refusal with Retry-After',
      holds: clients.oddCount === 0 && sum(clients.cut) === 0,
      detail: `${clients.oddCount} malformed, without an answer: ${listCounts(clients.cut)}`,
    },
    {
      promise: 'it refuses what it cannot process',
      holds: clients.refusedCount > 0,
      detail: `${sum(clients.counts) - clients.refusedCount} accepted, ${clients.refusedCount} refused`,
    },
    {
      promise: 'its health check answers all the time',
      holds: sum(health.others) === 0 && health.timesMs.length > 0,
      detail: `${health.timesMs.length} answers; others: ${listCounts(health.others)}`,
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
  queues: 'No limit of requests per key: `REQUESTS_MAX` refuses',
  rate: 'A limit of requests per key and second: mostly this limit refuses',
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
      ['', 'answers', 'per second', 'p50 / p99 ms', 'p99, × idle'],
      [
        calm('idle, 8 connections', before),
        calm('busy, 64 connections', full),
        row('overload: accepted', { times: clients.acceptedMs, seconds }),
        row('overload: refused', { times: clients.refusedMs, seconds }),
        row('overload: first answer on a new connection', { times: clients.freshMs, seconds: null }),
        row('overload: health, each on a new connection', { times: health.timesMs, seconds: null }),
        calm('idle again', after),
      ],
    ),
    `Answers under overload: ${listCounts(clients.counts)}. Slow senders that were disconnected: ${clients.sentAway}. The process ` +
      `that makes the load was late by ${pair(clients.ownDelayMs.p50, clients.ownDelayMs.p99)} ms (p50 / p99).`,
    ...(clients.odd.length > 0 ? [clients.odd.map((line) => `- ${line}`).join('\n')] : []),
  ].join('\n\n');
};
