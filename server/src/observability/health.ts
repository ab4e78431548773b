// Runs the health checks of all parts at once, each with a timeout. The result is public, so it must be cheap: requests within one
// second share one result.

import { formatInstant, systemClock } from '../base/instant.ts';

type ProbeStatus = 'ok' | 'degraded' | 'down' | 'not_configured';

export type ProbeResult = { readonly status: ProbeStatus; readonly detail: string };

export type Probe = { readonly name: string; check(): Promise<ProbeResult> | ProbeResult };

export type Health = {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly checkedAt: string;
  readonly probes: (ProbeResult & { readonly name: string; readonly durationMs: number })[];
};

const PROBE_TIMEOUT_MS = 2_000;
const SHARED_MS = 1_000;

const bounded = async (probe: Probe): Promise<ProbeResult> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<ProbeResult>((resolve) => {
    timer = setTimeout(
      () => resolve({ status: 'down', detail: `No answer within ${PROBE_TIMEOUT_MS} ms.` }),
      PROBE_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([Promise.resolve().then(() => probe.check()), tooLong]);
  } catch {
    // The error belongs in the log of the part. This answer is public.
    return { status: 'down', detail: 'Cannot be reached.' };
  } finally {
    clearTimeout(timer);
  }
};

const overall = (statuses: readonly ProbeStatus[]): Health['status'] => {
  if (statuses.includes('down')) return 'down';
  return statuses.includes('degraded') ? 'degraded' : 'ok';
};

const checkAll = async (probes: readonly Probe[]): Promise<Health> => {
  const results = await Promise.all(
    probes.map(async (probe) => {
      const started = performance.now();
      const result = await bounded(probe);
      return { name: probe.name, ...result, durationMs: Math.round(performance.now() - started) };
    }),
  );
  return {
    status: overall(results.map(({ status }) => status)),
    checkedAt: formatInstant(systemClock()),
    probes: results,
  };
};

export const createHealth = (probes: readonly Probe[]): (() => Promise<Health>) => {
  let shared: { at: number; health: Promise<Health> } | null = null;
  return () => {
    if (!shared || performance.now() - shared.at > SHARED_MS)
      shared = { at: performance.now(), health: checkAll(probes) };
    return shared.health;
  };
};
