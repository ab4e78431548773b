// Metrics of deadlines: what is overdue now, read from the database, and what this process has carried out.

import type { DeadlineKind } from '@holdfast/contract/states.ts';
import { Counter, Gauge, type Registry } from 'prom-client';

/** WAITS: refused for now, such as while an operation runs on the order. */
type Outcome = 'CANCEL' | 'RELEASE' | 'REFUND' | 'REMIND' | 'WAITS';

export type PassedDeadline = { readonly kind: DeadlineKind; readonly outcome: Outcome };

export const deadlineCounters = (registers: Registry[]) => {
  const passed = new Counter({
    name: 'holdfast_deadlines_passed_total',
    help: 'Deadlines of orders that were carried out at their time, by kind and outcome. WAITS: refused for now and tried again.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const reminders = new Counter({
    name: 'holdfast_deadline_reminders_total',
    help: 'Reminders of deadlines that were emitted.',
    registers,
  });
  return {
    passed({ kind, outcome }: PassedDeadline): void {
      if (kind === 'reminder' && outcome === 'REMIND') reminders.inc();
      else passed.inc({ kind, outcome });
    },
  };
};

/** Read when the metrics are read. An index has only what is pending, by time, so what is not overdue costs nothing. */
export const deadlineGauges = (
  registers: Registry[],
  overdue: () => Promise<{ readonly count: number; readonly oldestSeconds: number }>,
): void => {
  new Gauge({
    name: 'holdfast_deadlines_overdue',
    help: 'Deadlines of orders that are due and not carried out; counted up to 10,000.',
    registers,
    async collect() {
      this.set((await overdue()).count);
    },
  });
  new Gauge({
    name: 'holdfast_deadlines_overdue_oldest_seconds',
    help: 'How long the oldest overdue deadline is due; 0 when none is.',
    registers,
    async collect() {
      this.set((await overdue()).oldestSeconds);
    },
  });
};
