// Reports how far the search for deposits is behind the ledger, in health and in the metrics.

import { Gauge, type Registry } from 'prom-client';
import type { DepositLag } from '../ledger/deposits/lag.ts';
import type { Probe } from './health.ts';

type LagOptions = { lag(): Promise<DepositLag | null>; readonly hasLedger: boolean; readonly pollMs: number };

/** Several reads, and several ledgers of the network. */
const BEHIND_MIN_S = 300;

/** Deposits are credited late while the ledger is read behind its end. */
export const depositsProbe = ({ lag, hasLedger, pollMs }: LagOptions): Probe => ({
  name: 'deposits',
  async check() {
    if (!hasLedger) return { status: 'ok', detail: 'No ledger network is configured.' };
    const seen = await lag();
    if (seen === null || seen.seconds === null) return { status: 'ok', detail: 'The ledger was not read yet.' };
    const { ledgers, seconds } = seen;
    const behind = `The payments of the ledger are read up to ${seconds} s ago; ${ledgers} ledgers are not read.`;
    if (seconds < Math.max(BEHIND_MIN_S, (3 * pollMs) / 1_000)) return { status: 'ok', detail: behind };
    const advice = 'Deposits are credited late. See docs/operating.md#depositsbehind.';
    return { status: 'degraded', detail: `${behind} ${advice}` };
  },
});

/** Read when the metrics are read: another process may read the ledger. */
export const lagMetrics = (registers: Registry[], lag: LagOptions['lag']): void => {
  const gauge = (of: { name: string; help: string }, read: (lag: DepositLag) => number | null) =>
    new Gauge({
      ...of,
      registers,
      async collect() {
        const seen = await lag();
        const value = seen === null ? null : read(seen);
        if (value === null) this.remove({});
        else this.set(value);
      },
    });
  gauge(
    { name: 'holdfast_deposits_behind_ledgers', help: 'Ledgers of the network that were not read for deposits yet.' },
    ({ ledgers }) => ledgers,
  );
  gauge(
    {
      name: 'holdfast_deposits_behind_seconds',
      help: 'Age of the newest moment of the ledger up to which all payments were read for deposits.',
    },
    ({ seconds }) => seconds,
  );
};
