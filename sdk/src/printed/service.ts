// What these routes take and give.
// Printed from contract/src/api/service.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type Probe = {
  name: string;
  status: 'ok' | 'degraded' | 'down' | 'not_configured';
  detail: string;
  durationMs: number;
};

export type GetConfigResult = {
  version: string;
  apiVersion: string;
  baseCurrency: string;
  currencies: string[];
  /** Default fee percentage, used when the order sets none. */
  platformFeePercent: number;
  amounts: {
    order: {
      min: string;
      max: string;
    };
    topup: {
      min: string;
      max: string;
    };
    withdrawal: {
      min: string;
      max: string;
    };
  };
  rateLimit: {
    max: number;
    windowSeconds: number;
  };
  idempotencyRetentionHours: number;
  eventRetentionDays: number;
  limits: Record<string, number>;
  /** The scopes that `write` contains on this server. */
  writeIncludes: ('treasury' | 'payout')[];
  /** Whether the outside systems are simulators. */
  sandbox: boolean;
};

export type GetDetailedHealthResult = {
  status: 'ok' | 'degraded' | 'down';
  version: string;
  uptimeSeconds: number;
  /** When the parts were checked. */
  checkedAt: string;
  probes: Probe[];
};

export type GetHealthResult = {
  status: 'ok' | 'degraded' | 'down';
  version: string;
  uptimeSeconds: number;
};
