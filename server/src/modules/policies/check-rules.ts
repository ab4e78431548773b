// Checks what the schema of a policy's rules cannot express. Each problem names its field.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { durationMs } from '../../base/duration.ts';
import { FEE_BPS_MAX } from '../../books/money.ts';
import { validationError } from '../../http/validation/messages.ts';
import { type FeeRow, feeOf } from './fee.ts';
import type { PolicyRules } from './policy.ts';

const feeProblems = (row: FeeRow, path: string): string[] => {
  const { platformFeeBps, feeTerms } = feeOf(row);
  const { minUnits = null, maxUnits = null } = feeTerms ?? {};
  const isTooMuch = platformFeeBps > FEE_BPS_MAX;
  const isReversed = minUnits !== null && maxUnits !== null && BigInt(minUnits) > BigInt(maxUnits);
  return [
    ...(isTooMuch ? [`${path}.percent must be at most 99`] : []),
    ...(isReversed ? [`${path}.min must not be more than ${path}.max`] : []),
  ];
};

const categoryProblems = (categories: Readonly<Record<string, FeeRow>>): string[] =>
  Object.entries(categories).flatMap(([name, row]) => {
    const path = 'rules.platformFee.categories';
    if (name === '' || name.length > LIMITS.metadataKeyLength) {
      return [`${path} must have names of 1 to ${LIMITS.metadataKeyLength} characters`];
    }
    return feeProblems(row, `${path}.${name}`);
  });

/** Two texts can be the same time: PT60S and PT1M. */
const repeats = (durations: readonly string[]): boolean => new Set(durations.map(durationMs)).size < durations.length;

export const checkRules = (rules: PolicyRules): void => {
  const { platformFee, remindBefore = [] } = rules;
  const problems = [
    ...(repeats(remindBefore) ? ['rules.remindBefore must not repeat a duration'] : []),
    ...(platformFee ? feeProblems(platformFee, 'rules.platformFee') : []),
    ...categoryProblems(platformFee?.categories ?? {}),
  ];
  if (problems.length > 0) throw validationError(problems);
};
