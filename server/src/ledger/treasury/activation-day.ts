// How many accounts a marketplace has created on the ledger on one day. The command that queues an activation counts it in its own
// commit, so requests at once never exceed the limit of a marketplace together. activation-place.ts has the limit of all marketplaces.

import { formatInstant } from '../../base/instant.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

type ActivationDay = {
  /** The day in UTC. */
  readonly id: string;
  readonly activations: number;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    activationDays: ActivationDay;
  }
  interface Lookups {
    activationDays: Record<never, string>;
  }
}

export const ACTIVATION_DAYS = table('activationDays', {
  notFound: 'INTERNAL_ERROR',
  sql: 'activation_days',
  columns: ['id', 'activations'],
  lookups: {},
});

/** Null: no limit. */
export type ActivationLimits = {
  readonly perMarketplace: number | null;
  readonly overall: number | null;
};

/** The first moment of the next day. */
export const dayAfter = (day: string): string => formatInstant((Date.parse(`${day}T00:00:00Z`) + 86_400_000) * 1_000);

const countOf = (work: UnitOfWork, day: string): number => work.find('activationDays', day)?.activations ?? 0;

/** The marketplace has reached its limit of this day. */
export const isDayFull = (work: UnitOfWork, { day, max }: { day: string; max: number | null }): boolean =>
  max !== null && countOf(work, day) >= max;

export const countActivation = (work: UnitOfWork, day: string): void =>
  work.put('activationDays', { id: day, activations: countOf(work, day) + 1 });
