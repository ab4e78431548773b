// Reports treasuries with a low balance or without their first money, credit lines that are used, and open reconciliation breaks, in
// health and in the metrics. It names no marketplace and no address, because both pages are widely readable.

import { ALERT_KIND } from '@holdfast/contract/api/reconciliation.ts';
import { Gauge, type Registry } from 'prom-client';
import { type Amount, formatAmount } from '../books/money.ts';
import type { TreasuryBalance } from '../ledger/treasury/queries.ts';
import type { CreditSummary } from '../modules/float/queries.ts';
import type { BreakSummary } from '../modules/reconciliation/breaks.ts';
import type { Probe } from './health.ts';

type Limits = { readonly lowUsdc: Amount; readonly lowXlm: Amount };

type TreasurySummary = {
  readonly treasuries: number;
  /** Not on the ledger yet. */
  readonly waiting: number;
  readonly lowInUsdc: number;
  readonly lowInXlm: number;
  /** Null when there is no active treasury. */
  readonly lowestUsdc: Amount | null;
  readonly lowestXlm: Amount | null;
};

const lowest = (amounts: readonly Amount[]): Amount | null =>
  amounts.reduce<Amount | null>((least, amount) => (least === null || amount < least ? amount : least), null);

export const summarise = (balances: readonly TreasuryBalance[], { lowUsdc, lowXlm }: Limits): TreasurySummary => {
  const active = balances.filter(({ isActive }) => isActive);
  return {
    treasuries: balances.length,
    waiting: balances.length - active.length,
    lowInUsdc: active.filter(({ usdc }) => usdc < lowUsdc).length,
    lowInXlm: active.filter(({ xlm }) => xlm < lowXlm).length,
    lowestUsdc: lowest(active.map(({ usdc }) => usdc)),
    lowestXlm: lowest(active.map(({ xlm }) => xlm)),
  };
};

type Options = Limits & { balances(): Promise<TreasuryBalance[]> };

export const treasuryProbe = (options: Options): Probe => ({
  name: 'treasury',
  async check() {
    const { treasuries, waiting, lowInUsdc, lowInXlm, lowestUsdc, lowestXlm } = summarise(
      await options.balances(),
      options,
    );
    if (treasuries === 0) return { status: 'ok', detail: 'No treasury is needed yet.' };
    const problems = [
      waiting > 0
        ? `Treasuries that wait for their first XLM: ${waiting} of ${treasuries}. The log shows their addresses.`
        : '',
      lowInUsdc > 0 ? `Treasuries with less than ${formatAmount(options.lowUsdc)} USDC: ${lowInUsdc}.` : '',
      lowInXlm > 0 ? `Treasuries with less than ${formatAmount(options.lowXlm)} XLM: ${lowInXlm}.` : '',
    ].filter((sentence) => sentence !== '');
    if (problems.length > 0) return { status: 'degraded', detail: `${problems.join(' ')} Fund them.` };
    const least = `${formatAmount(lowestUsdc!)} USDC and ${formatAmount(lowestXlm!)} XLM`;
    return { status: 'ok', detail: `Treasuries: ${treasuries}, each with at least ${least}.` };
  },
});

/** Read when the metrics are read. */
export const treasuryMetrics = (registers: Registry[], options: Options): void => {
  const gauge = (
    of: { name: string; help: string; labelNames: string[] },
    show: (each: Gauge, summary: TreasurySummary) => void,
  ) =>
    new Gauge({
      ...of,
      registers,
      async collect() {
        this.reset();
        show(this, summarise(await options.balances(), options));
      },
    });
  gauge(
    { name: 'holdfast_treasury_lowest', help: 'Lowest balance of a treasury, by asset.', labelNames: ['asset'] },
    (each, { lowestUsdc, lowestXlm }) => {
      // Numbers only for charts; nothing is computed from them.
      if (lowestUsdc !== null) each.set({ asset: 'USDC' }, Number(formatAmount(lowestUsdc)));
      if (lowestXlm !== null) each.set({ asset: 'XLM' }, Number(formatAmount(lowestXlm)));
    },
  );
  gauge(
    { name: 'holdfast_treasuries_low', help: 'Treasuries with less than the set amount.', labelNames: ['asset'] },
    (each, { lowInUsdc, lowInXlm }) => {
      each.set({ asset: 'USDC' }, lowInUsdc);
      each.set({ asset: 'XLM' }, lowInXlm);
    },
  );
  gauge(
    { name: 'holdfast_treasuries_waiting', help: 'Treasuries that are not on the ledger yet.', labelNames: [] },
    (each, { waiting }) => each.set(waiting),
  );
};

/** Read when the metrics are read: a credit line is used without a request of the operator. */
export const creditMetrics = (registers: Registry[], credit: () => Promise<CreditSummary>): void => {
  new Gauge({
    name: 'holdfast_float_credit_used',
    help: 'How much of the credit lines the paid and the open withdrawals use, in dollars.',
    registers,
    async collect() {
      // A number only for charts; nothing is computed from it.
      this.set(Number(formatAmount((await credit()).used)));
    },
  });
};

const HOUR_MS = 3_600_000;

export const breaksProbe = (summary: () => Promise<BreakSummary>): Probe => ({
  name: 'reconciliation',
  async check() {
    const seen = await summary();
    if (seen.oldestAt === null) return { status: 'ok', detail: 'The books and the outside systems agree.' };
    const hours = Math.floor((Date.now() - Date.parse(seen.oldestAt)) / HOUR_MS);
    const ofBooks = seen.open.filter(({ kind }) => kind !== ALERT_KIND);
    const kinds = ofBooks.map(({ kind, count }) => `${count} ${kind}`).join(', ');
    return {
      status: 'degraded',
      detail: `Open breaks: ${kinds}; the oldest for ${hours} hours. See /api/v1/reconciliation/breaks.`,
    };
  },
});

/** Events that were set aside do not concern the books, so they have a line of their own. */
export const escrowEventsProbe = (summary: () => Promise<BreakSummary>): Probe => ({
  name: 'escrow-events',
  async check() {
    const count = (await summary()).open.find(({ kind }) => kind === ALERT_KIND)?.count ?? 0;
    if (count === 0) return { status: 'ok', detail: 'No event of the escrow provider is contradicted.' };
    const what = `${count} ${count === 1 ? 'event' : 'events'} of the escrow provider ${count === 1 ? 'is' : 'are'} contradicted or not confirmed`;
    return {
      status: 'degraded',
      detail: `The books do not include them: ${what}. See /api/v1/reconciliation/breaks?kind=${ALERT_KIND}.`,
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
    help: 'Time when the oldest open break was found, without escrow-event; absent when none is open.',
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
