// Routes of the service: the settings that callers need, and health.

import * as api from '@holdfast/contract/api/service.ts';
import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DEFAULT_FEE_BPS } from '../../books/money.ts';
import type { Config } from '../../config/config.ts';
import { type Route, read } from '../../http/route.ts';
import type { Health } from '../../observability/health.ts';

type Parts = {
  readonly config: Config;
  readonly version: string;
  /** True when simulators replace the outside systems. */
  readonly hasSandbox: boolean;
  health(): Promise<Health>;
};

const HOUR_MS = 3_600_000;

export const serviceRoutes = ({ config, version, hasSandbox, health }: Parts): Route[] => {
  const startedAt = performance.now();
  const self = () => ({ version, uptimeSeconds: Math.floor((performance.now() - startedAt) / 1_000) });
  const { money, rateLimit, idempotency, events, keys } = config;

  return [
    read(api.getConfig, () => ({
      version,
      apiVersion: 'v1',
      baseCurrency: money.baseCurrency,
      currencies: [...CURRENCIES],
      platformFeePercent: DEFAULT_FEE_BPS / 100,
      amounts: {
        order: { min: money.orderAmountMin, max: money.orderAmountMax },
        topup: { min: money.topupAmountMin, max: money.topupAmountMax },
        withdrawal: { min: money.withdrawalAmountMin, max: money.withdrawalAmountMax },
      },
      rateLimit: { max: rateLimit.max, windowSeconds: rateLimit.windowMs / 1_000 },
      idempotencyRetentionHours: idempotency.retentionMs / HOUR_MS,
      eventRetentionDays: events.retentionMs / (24 * HOUR_MS),
      limits: { ...LIMITS, evidenceBytes: config.evidence.maxBytes },
      writeIncludes: [...keys.writeIncludes],
      sandbox: hasSandbox,
    })),
    read(api.getHealth, () => ({ status: 'ok' as const, ...self() })),
    read(api.getDetailedHealth, async () => ({ ...(await health()), ...self() })),
  ];
};
