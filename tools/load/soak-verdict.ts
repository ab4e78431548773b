// The verdict of a soak: each promise, whether it holds, and the figures behind it.

import { checkGrowth, type Flatness, type Point } from './growth-check.ts';
import type { Sample } from './samples.ts';
import type { Soak } from './soak-run.ts';
import { type Finding, mib } from './tables.ts';

/**
 * What the server's heap may rise by after warm-up. Its memory of rows fills up to 50,000 cells of about half a kilobyte and
 * is then dropped: this is a third of that, and less than any of the caches that a leak could hide behind.
 */
const HEAP_TOLERANCE = 8 * 2 ** 20;
/** The number of sockets varies with the connection pools of the clients. */
const HANDLE_TOLERANCE = 32;
/** The simulators keep every transaction by design: their heap may grow with these, and not faster. */
const PER_TRANSACTION_RATIO = 1.5;

type Read = (sample: Sample) => number | null;

const pointsOf = (samples: readonly Sample[], read: Read): Point[] =>
  samples.flatMap((sample) => {
    const value = read(sample);
    return value === null ? [] : [{ atMs: sample.atMs, value }];
  });

const flatOf = ({ samples, lengthMs }: Soak, of: { read: Read; tolerance: number }): Flatness =>
  checkGrowth(pointsOf(samples, of.read), { lengthMs, tolerance: of.tolerance });

const serverHeap = (soak: Soak): Flatness =>
  flatOf(soak, { read: ({ server }) => server.heapLive, tolerance: HEAP_TOLERANCE });

/** Bytes of the simulators' heap for each transaction on the ledger, in each half of the run. */
const perTransaction = ({ samples }: Soak): [first: number, second: number] => {
  const measured = samples.filter(({ sandbox }) => sandbox?.heapLive != null);
  const grown = (from: Sample | undefined, to: Sample | undefined): number => {
    const made = (to?.database.ledgerTransactions ?? 0) - (from?.database.ledgerTransactions ?? 0);
    return made <= 0 ? 0 : ((to?.sandbox?.heapLive ?? 0) - (from?.sandbox?.heapLive ?? 0)) / made;
  };
  const middle = measured[Math.floor(measured.length / 2)];
  return [grown(measured[0], middle), grown(middle, measured.at(-1))];
};

const heapDetail = ({ floors, rise, floorRise, tolerance }: Flatness): string =>
  `floors by sixths ${floors.map((floor) => (floor === null ? '–' : mib(floor).toFixed(1))).join(', ')} MiB; line ` +
  `${mib(rise).toFixed(1)} MiB, floors of the halves ${mib(floorRise).toFixed(1)} MiB, allowed ${mib(tolerance)} MiB`;

const countDetail = ({ floors, floorRise, tolerance }: Flatness): string =>
  `floors by sixths ${floors.map((floor) => floor ?? '–').join(', ')}; rise ${floorRise}, allowed ${tolerance}`;

const counted = (soak: Soak, { promise, read }: { promise: string; read: Read }): Finding => {
  const flat = flatOf(soak, { read, tolerance: HANDLE_TOLERANCE });
  return { promise, holds: flat.isFlat, detail: countDetail(flat) };
};

const booksOf = ({ settled, heard, proofHolds, chainHolds, context }: Soak): Finding[] => {
  const { users, credits, lost, twice, unknown, differing } = settled;
  return [
    {
      promise: 'no acknowledged write is lost, and none happened twice',
      holds: lost + twice + unknown === 0,
      detail: `${credits} credits by their reference: ${lost} lost, ${twice} twice, ${unknown} without an acknowledgement`,
    },
    {
      promise: 'every balance equals what was acknowledged',
      holds: differing.length === 0,
      detail: `${users} users, ${differing.length} differ${differing[0] ? `; the first: ${differing[0]}` : ''}`,
    },
    {
      promise: 'the proof holds for every posting, and the audit chain is complete',
      holds: proofHolds && chainHolds,
      detail: `proof ${proofHolds}, chain ${chainHolds}`,
    },
    {
      promise: 'the lasting streams received every event once and in order',
      holds: heard.every(({ isWhole }) => isWhole),
      detail: heard
        .map(({ name, heard: count, isWhole }) => `${name}: ${count}${isWhole ? '' : ' NOT COMPLETE'}`)
        .join(', '),
    },
    {
      promise: 'every answer was expected',
      holds: context.recorder.unexpectedCount() === 0,
      detail: `${context.recorder.requests()} requests, ${context.recorder.unexpectedCount()} unexpected`,
    },
  ];
};

const growthOf = (soak: Soak): Finding[] => {
  const heap = serverHeap(soak);
  const outside = flatOf(soak, { read: ({ server }) => server.externalLive, tolerance: HEAP_TOLERANCE });
  const [first, second] = perTransaction(soak);
  return [
    { promise: 'the memory of the server is flat', holds: heap.isFlat, detail: heapDetail(heap) },
    { promise: 'so is its memory outside the heap', holds: outside.isFlat, detail: heapDetail(outside) },
    counted(soak, { promise: 'the server leaks no handles', read: ({ server }) => server.handleCount }),
    counted(soak, { promise: 'the server leaks no file descriptors', read: ({ server }) => server.openFiles }),
    counted(soak, { promise: 'PostgreSQL leaks no connections', read: ({ database }) => database.connections }),
    {
      promise: 'the memory of the simulators grows with their ledger and not faster',
      holds: second <= Math.max(first, 1_024) * PER_TRANSACTION_RATIO,
      detail: `${Math.round(first)} bytes of heap per ledger transaction in the first half, ${Math.round(second)} in the second`,
    },
    counted(soak, { promise: 'the simulators leak no handles', read: ({ sandbox }) => sandbox?.handleCount ?? null }),
    counted(soak, {
      promise: 'the simulators leak no file descriptors',
      read: ({ sandbox }) => sandbox?.openFiles ?? null,
    }),
  ];
};

export const verdictOf = (soak: Soak): { books: Finding[]; growth: Finding[] } => ({
  books: booksOf(soak),
  growth: growthOf(soak),
});
