// What a campaign found, for people: figures, and for each finding the seed and the request to send again.

import os from 'node:os';
import type { Campaign, Finding } from './campaign.ts';

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');

const findingText = ({ seed, place, operation, kind, problems, answer, curl }: Finding): string =>
  [
    `Seed ${seed}, request ${place} (${kind}), ${operation}:`,
    ...problems.map((problem) => `  - ${problem}`),
    `answered ${answer}`,
    curl,
  ].join('\n');

/** Empty when nothing is wrong. */
export const wrongIn = ({ findings, broken, failures }: Campaign): string[] => [
  ...findings.map(findingText),
  ...broken,
  ...failures.map((line) => `the log tells of a failure: ${line.trim()}`),
];

const machine = (): string =>
  `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim() ?? 'processor'}, Node ${process.version}`;

export const reportText = (
  campaign: Campaign,
  { seed, command, seconds }: { seed: number; command: string; seconds: number },
): string => {
  const wrong = wrongIn(campaign);
  return [
    `date       ${new Date().toISOString()}`,
    `machine    ${machine()}`,
    `command    ${command}`,
    `seed       ${seed}`,
    `requests   ${campaign.requests} to ${campaign.operations} operations, in ${Math.round(seconds)} s`,
    `kinds      ${listed(campaign.byKind)}`,
    `statuses   ${listed(campaign.byStatus)}`,
    `succeeded  on ${campaign.operations - campaign.neverReached.length} of ${campaign.operations} operations at least once`,
    ...(campaign.neverReached.length > 0 ? [`never on   ${campaign.neverReached.join(', ')}`] : []),
    `findings   ${campaign.findings.length}; books and audit chains ${campaign.broken.length === 0 ? 'hold' : 'are BROKEN'}`,
    ...wrong.map((text) => `\n${text}`),
  ].join('\n');
};
