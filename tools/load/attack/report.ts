// The report of an attack as markdown: what the quiet tenant noticed in each phase, what the attackers got, and the promises.

import { median, percentiles } from '../../measure/rounds.ts';
import { type Cell, type Finding, pair, table } from '../tables.ts';
import { type AttackName, FORCES } from './requests.ts';
import type { Attacked, Phase } from './run.ts';

const listCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted()
    .map(([name, count]) => `${count.toLocaleString('en-US')} × ${name}`)
    .join(', ') || 'none';

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** 5xx except "busy", and requests without an answer, are failures; other statuses are refusals. */
const isFailure = (name: string): boolean => /( 5\d\d| no answer)$/.test(name) && !name.endsWith(' 503');

const partsOf = ({ bystander }: Phase) => {
  const entries = Object.entries(bystander.refused);
  return {
    refused: sum(Object.fromEntries(entries.filter(([name]) => !isFailure(name)))),
    failed: sum(Object.fromEntries(entries.filter(([name]) => isFailure(name)))),
  };
};

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

const rowOf = (phase: Phase): Cell[] => {
  const { name, bystander, loopDelayMaxMs, serverCores, calmAfterMs } = phase;
  const { timesMs, ordersMs, streamsMs, elapsedMs } = bystander;
  const streams = percentiles(streamsMs);
  const { p50Ms, p99Ms } = percentiles(timesMs);
  const { refused, failed } = partsOf(phase);
  return [
    name,
    Math.round((timesMs.length * 1_000) / elapsedMs),
    pair(p50Ms, p99Ms),
    pair(streams.p50Ms, streams.p99Ms),
    ordersMs.length,
    ordersMs.length === 0 ? null : seconds(median(ordersMs)),
    refused,
    failed,
    Math.round(loopDelayMaxMs),
    serverCores.toFixed(2),
    calmAfterMs === null ? null : seconds(calmAfterMs),
  ];
};

const COLUMNS = [
  'the quiet tenant',
  'requests a second',
  'p50 / p99 ms',
  'new stream p50 / p99 ms',
  'orders',
  'order p50 s',
  'refused',
  'failed',
  'event loop blocked, most ms',
  'cores of the server',
  'calm after s',
];

const forceOf = (name: AttackName): string => {
  const force = FORCES[name];
  if ('perSecond' in force) return `${force.perSecond} a second`;
  return 'held' in force ? `${force.held} kept open` : `${force.connections} connections`;
};

const attackerRow = ({ name, attacker }: Phase): Cell[] => [
  name,
  forceOf(name as AttackName),
  attacker!.sent,
  listCounts(attacker!.counts),
];

/** Beside heavy reads of another marketplace, half of the quiet tenant's requests take at most this many times as long as undisturbed. */
const BESIDE_READS_RATIO = 10;

/** Empty where the run had no heavy reads. */
const besideReads = (phases: readonly Phase[]): Finding[] => {
  const medianOf = (wanted: string): number | null => {
    const phase = phases.find(({ name }) => name === wanted);
    return phase ? percentiles(phase.bystander.timesMs).p50Ms : null;
  };
  const undisturbedMs = medianOf('undisturbed');
  const besideMs = medianOf('reads' satisfies AttackName);
  if (undisturbedMs === null || besideMs === null) return [];
  const ratio = besideMs / undisturbedMs;
  return [
    {
      promise: `beside heavy reads the p50 of the quiet tenant is at most ${BESIDE_READS_RATIO} times its undisturbed p50`,
      holds: ratio <= BESIDE_READS_RATIO,
      detail: `${besideMs.toFixed(1)} ms beside ${undisturbedMs.toFixed(1)} ms, ${ratio.toFixed(1)} times`,
    },
  ];
};

export const attackVerdict = ({ phases, paidToAttacker, hintRows, proofHolds }: Attacked): Finding[] => {
  const noticed = phases.filter((phase) => sum(phase.bystander.refused) > 0);
  return [
    {
      promise: 'nothing of the quiet tenant was refused or failed, in any phase',
      holds: noticed.length === 0,
      detail: noticed.map(({ name, bystander }) => `${name}: ${listCounts(bystander.refused)}`).join('; ') || 'none',
    },
    {
      promise: 'the attacker, whose marketplace has received nothing, was paid nothing',
      holds: paidToAttacker === '0.00',
      detail: `${paidToAttacker} USD`,
    },
    {
      promise: 'hints that changed nothing left no rows',
      holds: hintRows.webhookEvents + hintRows.auditEntries === 0,
      detail: `${hintRows.webhookEvents} webhook events, ${hintRows.auditEntries} audit entries`,
    },
    { promise: 'the proof of the quiet tenant holds', holds: proofHolds, detail: String(proofHolds) },
    ...besideReads(phases),
  ];
};

export const attackReport = ({ phases }: Attacked): string => {
  const delays = phases.map(({ bystander }) => bystander.ownDelayP99Ms);
  return [
    table(COLUMNS, phases.map(rowOf)),
    table(
      ['the attacker', 'force', 'sent', 'answers'],
      phases.filter(({ attacker }) => attacker !== null).map(attackerRow),
    ),
    `The process of the quiet tenant was itself late by at most ${Math.round(Math.max(...delays))} ms (p99 of the worst phase).`,
  ].join('\n\n');
};
