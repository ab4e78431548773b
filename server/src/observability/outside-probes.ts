// Reports treasuries with a low balance or without their first money, credit lines that are used, and open reconciliation breaks, in
// health and in the metrics. It names no marketplace and no address, because both pages are widely readable.

import { ALERT_KIND, ALERT_KINDS, PAYMENT_ALERT_KINDS } from '@holdfast/contract/api/reconciliation.ts';
import { Gauge, type Registry } from 'prom-client';
import { type Amount, formatAmount, formatExact } from '../books/money.ts';
import type { HoldSummary } from '../ledger/holds/queries.ts';
import type { FeeState } from '../ledger/transactions/fee-bids.ts';
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

/** Payments that are booked as they happened and that an operator has to look at. */
export const paymentAlertsProbe = (summary: () => Promise<BreakSummary>): Probe => ({
  name: 'payment-alerts',
  async check() {
    const kinds: readonly string[] = PAYMENT_ALERT_KINDS;
    const open = (await summary()).open.filter(({ kind }) => kinds.includes(kind));
    if (open.length === 0) return { status: 'ok', detail: 'No payment needs a decision.' };
    const what = open.map(({ kind, count }) => `${count} ${kind}`).join(', ');
    return {
      status: 'degraded',
      detail: `Payments that were made late or over another amount: ${what}. See /api/v1/reconciliation/breaks.`,
    };
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

/** Read when the metrics are read: the wallets wait for the treasury, or for the limit of activations of the day. */
export const activationMetrics = (registers: Registry[], waiting: () => Promise<number>): void => {
  new Gauge({
    name: 'holdfast_wallets_waiting',
    help: 'Wallets that were requested and are not active on the ledger yet.',
    registers,
    async collect() {
      this.set(await waiting());
    },
  });
};

/** Fees that the network asks for, and what was done about them. */
export const feeProbe = (state: () => FeeState): Probe => ({
  name: 'ledger-fees',
  async check() {
    const { price, limit, isAboveLimit } = state();
    if (price === null) return { status: 'ok', detail: 'The fees of the ledger were not needed yet.' };
    const asked = `The ledger asks ${formatExact(price)} XLM per operation; LEDGER_FEE_MAX allows ${formatExact(limit)} XLM.`;
    if (!isAboveLimit) return { status: 'ok', detail: asked };
    return {
      status: 'degraded',
      detail: `${asked} Payments wait until the fee falls. Raise LEDGER_FEE_MAX to pay it.`,
    };
  },
});

/** Payments that an operator has to release. Health is public: the reason is a text of an operator, and stays out of it. */
export const holdProbe = (summary: () => Promise<HoldSummary>): Probe => ({
  name: 'payment-hold',
  async check() {
    const { reason, since, wallets } = await summary();
    const held = wallets === 0 ? '' : `Wallets that are held: ${wallets}. `;
    const advice = 'See `holdfast payments status`.';
    if (reason !== null) {
      return { status: 'degraded', detail: `Payments are on hold since ${since}. ${held}${advice}` };
    }
    if (wallets > 0) return { status: 'degraded', detail: `${held}${advice}` };
    return { status: 'ok', detail: 'Payments are not on hold.' };
  },
});

/** Read when the metrics are read. */
export const holdMetrics = (registers: Registry[], summary: () => Promise<HoldSummary>): void => {
  const gauge = (of: { name: string; help: string }, read: (summary: HoldSummary) => number) =>
    new Gauge({
      ...of,
      registers,
      async collect() {
        this.set(read(await summary()));
      },
    });
  gauge({ name: 'holdfast_payments_held', help: '1 while all outgoing payments are on hold.' }, ({ reason }) =>
    reason === null ? 0 : 1,
  );
  gauge({ name: 'holdfast_wallets_held', help: 'Wallets that are held.' }, ({ wallets }) => wallets);
};

/** In units of 0.0000001 XLM, as the network counts its fees. */
export const feeMetrics = (registers: Registry[], options: FeeSources): void => {
  const gauge = (of: { name: string; help: string }, read: () => Promise<bigint | null> | bigint | null) =>
    new Gauge({
      ...of,
      registers,
      async collect() {
        const value = await read();
        // Numbers only for charts; nothing is computed from them.
        if (value !== null) this.set(Number(value));
      },
    });
  gauge(
    { name: 'holdfast_ledger_fee_price', help: 'Fee per operation that the network asks for, in 0.0000001 XLM.' },
    () => options.state().price,
  );
  gauge(
    { name: 'holdfast_ledger_fee_limit', help: 'Highest fee per operation that is bid, in 0.0000001 XLM.' },
    () => options.state().limit,
  );
  gauge(
    { name: 'holdfast_ledger_fee_waits', help: 'Attempts that waited because of the fee limit, since the start.' },
    () => BigInt(options.state().waits),
  );
  gauge({ name: 'holdfast_ledger_fee_bumps', help: 'Transactions whose fee was raised, since the start.' }, () =>
    BigInt(options.state().bumps),
  );
  gauge(
    { name: 'holdfast_network_fees_paid', help: 'Fees paid to the network by all marketplaces, in 0.0000001 XLM.' },
    options.paid,
  );
};

type FeeSources = { state(): FeeState; paid(): Promise<Amount> };

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
    const ofBooks = seen.open.filter(({ kind }) => !ALERT_KINDS.includes(kind));
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
    help: 'Time when the oldest open break was found, without alerts; absent when none is open.',
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

/** Read when the metrics are read, because the job that opens alerts may run in another process. */
export const alertMetrics = (
  registers: Registry[],
  countOpen: () => Promise<readonly { readonly kind: string; readonly count: number }[]>,
): void => {
  new Gauge({
    name: 'holdfast_alerts_open',
    help: 'Alerts for people that are open, by kind.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      for (const { kind, count } of await countOpen()) this.set({ kind }, count);
    },
  });
};
