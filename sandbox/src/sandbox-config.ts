// The options of a sandbox and their defaults.

export type WebhookTarget = {
  url: string;
  // "whsec_" and base64.
  secret: string;
  // native: { type, data } with the provider's own event names; neutral: { eventId, eventType, occurredAt, data }.
  spelling?: 'native' | 'neutral';
};

// The secret is any text.
export type EscrowWebhookTarget = { url: string; secret: string };

export type PaymentConfig = {
  // HTTP Basic.
  key: string;
  secret: string;
  rateLimit: boolean;
  webhook: WebhookTarget | null;
  // The opening balance of the enterprise in whole units, which payouts need.
  openingBalance: number;
};
export type EscrowConfig = { apiKey: string; rateLimit: boolean; protocolFeeBps: number };
export type LedgerConfig = { passphrase: string; baseFee: number };

type SandboxConfig = {
  // 0 chooses a free port.
  port: number;
  host: string;
  // null keeps nothing after the end.
  stateFile: string | null;
  payment: PaymentConfig;
  escrow: EscrowConfig;
  ledger: LedgerConfig;
  log: (sentence: string) => void;
};

export type SandboxOptions = Partial<
  Omit<SandboxConfig, 'payment' | 'escrow' | 'ledger'> & {
    payment: Partial<PaymentConfig>;
    escrow: Partial<EscrowConfig>;
    ledger: Partial<LedgerConfig>;
  }
>;

export const DEFAULTS: SandboxConfig = {
  port: 4010,
  host: '127.0.0.1',
  stateFile: null,
  payment: {
    key: 'sandbox-key',
    secret: 'sandbox-secret',
    rateLimit: false,
    webhook: null,
    openingBalance: 1_000_000_000,
  },
  escrow: { apiKey: 'sandbox-escrow-key', rateLimit: false, protocolFeeBps: 30 },
  ledger: { passphrase: 'Holdfast Sandbox Network ; 2026', baseFee: 100 },
  log: () => {},
};

export function complete(options: SandboxOptions): SandboxConfig {
  return {
    ...DEFAULTS,
    ...options,
    payment: { ...DEFAULTS.payment, ...options.payment },
    escrow: { ...DEFAULTS.escrow, ...options.escrow },
    ledger: { ...DEFAULTS.ledger, ...options.ledger },
  };
}
