// Reports open reconciliation breaks in health and metrics: counts and ages, never an address or an amount.

import { Gauge, type Registry } from 'prom-client';
import type { BreakSummary } from '../modules/reconciliation/breaks.ts';
import type { Probe } from './health.ts';

const HOUR_MS = 3_600_000;

export const breaksProbe = (summary: () => Promise<BreakSummary>): Probe => ({
  name: 'reconciliation',
  async look() {
    const seen = await summary();
    if (seen.oldestAt === null) return { status: 'ok', detail: 'The books and the outside systems agree.' };
    const hours = Math.floor((Date.now() - Date.parse(seen.oldestAt)) / HOUR_MS);
    const kinds = seen.open.map(({ kind, count }) => `${count} ${kind}`).join(', ');
    return {
      status: 'degraded',
      detail: `Open breaks: ${kinds}; the oldest for ${hours} hours. See /api/v1/reconciliation/breaks.`,
    };
  },
});

/** Read when the metrics are read, because the job that finds breaks may run in another process. */
export const breakMetrics = (registers: Registry[]) => {
  let summary: (() => Promise<BreakSummary>) | null = null;
  new Gauge({
    name: 'holdfast_open_breaks',
    help: 'Open differences between the books and an outside system, by kind.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      for (const { kind, count } of (await summary?.())?.open ?? []) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'holdfast_oldest_break_timestamp_seconds',
    help: 'Time when the oldest open break was found; absent when none is open.',
    registers,
    async collect() {
      this.reset();
      const seen = await summary?.();
      if (seen?.oldestAt) this.set(Date.parse(seen.oldestAt) / 1_000);
      else this.remove({});
    },
  });
  return {
    watch(read: () => Promise<BreakSummary>): void {
      summary = read;
    },
  };
};
