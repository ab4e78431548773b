// Opens the three adapters by the settings: for the real systems, for the simulators of the sandbox, or not at all.

import type { Config } from '../config/config.ts';
import { isReal } from '../config/reach.ts';
import type { OnCall } from './call-record.ts';
import { createEscrowProvider } from './escrow/escrow-provider.ts';
import type { EscrowProvider } from './escrow-port.ts';
import type { ClientOptions } from './http-client.ts';
import type { LedgerAsset, LedgerNetwork } from './ledger-port.ts';
import { createLedgerNetwork } from './network/ledger-network.ts';
import { createPaymentProvider } from './payment/payment-provider.ts';
import type { PaymentProvider } from './payment-port.ts';

/** Null for a system without an address: features that need it are unavailable. */
export type Providers = {
  escrow: EscrowProvider | null;
  payment: PaymentProvider | null;
  /** The payment provider with other credentials, with a pace and a circuit breaker of its own; null without an address. */
  openPayment(own: OwnPaymentAccount): PaymentProvider | null;
  network: LedgerNetwork | null;
  /** USDC on this ledger. */
  asset: LedgerAsset;
  /** From now on the listener receives the record of every request. */
  watchCalls(listener: OnCall): void;
  /** The addresses of the two providers, for the health check. */
  urls: { readonly escrow: string | null; readonly payment: string | null };
};

/** A part that is null is as the settings say. */
type OwnPaymentAccount = {
  readonly key: string;
  readonly secret: string;
  readonly baseUrl: string | null;
  readonly payerUrl: string | null;
};

/** The credentials of the simulators, as docs/sandbox.md publishes them. The issuer follows from the passphrase. */
export const SANDBOX = {
  apiKey: 'sandbox-escrow-key',
  key: 'sandbox-key',
  secret: 'sandbox-secret',
  passphrase: 'Holdfast Sandbox Network ; 2026',
  issuer: 'GBOX4V24CJTAWBNM6SV4UCLAOPUQXKSV2WHTRTRYJTS66COLMMCXJ7L6',
} as const;

type ProvidersOptions = {
  /** The address of the running sandbox; null when there is none. */
  sandboxUrl: string | null;
  onCall?: OnCall;
};

type Settings = Pick<Config, 'providers' | 'adapters' | 'sandbox'>;

/** Whether the server starts the sandbox: as the setting says, otherwise only while no system has an address. */
export const wantsSandbox = ({ providers, sandbox }: Pick<Settings, 'providers' | 'sandbox'>): boolean =>
  sandbox.isOn ?? Object.values(providers).every((url) => url === null);

export function openProviders({ providers, adapters }: Settings, options: ProvidersOptions): Providers {
  const { sandboxUrl } = options;
  const { timeoutMs, concurrencyMax, sharePercent } = adapters;
  const listeners = options.onCall === undefined ? [] : [options.onCall];
  const onCall: OnCall = (call) => {
    for (const listener of listeners) listener(call);
  };
  const common = { timeoutMs, concurrencyMax, sharePercent, onCall };
  const at = (url: string | null, path: string) => url ?? (sandboxUrl === null ? null : sandboxUrl + path);
  const escrowUrl = at(providers.escrowUrl, '/escrow-provider');
  const paymentUrl = at(providers.paymentUrl, '/payment-provider/v2');
  const ledgerUrl = at(providers.ledgerUrl, '/ledger');
  // The simulator of the ledger is both servers; a real one needs its own address.
  const rpcUrl = adapters.ledgerRpcUrl ?? (isReal(ledgerUrl) ? null : `${ledgerUrl}/rpc`);
  const passphrase = adapters.ledgerPassphrase ?? SANDBOX.passphrase;
  const openPayment = ({ key, secret, ...own }: OwnPaymentAccount): PaymentProvider | null => {
    const baseUrl = own.baseUrl ?? paymentUrl;
    if (baseUrl === null) return null;
    const payerUrl = own.payerUrl ?? adapters.paymentPayerUrl ?? new URL(baseUrl).origin;
    const rate = rateOf(own.baseUrl ?? providers.paymentUrl, { max: adapters.paymentRatePerSecond, windowMs: 1_000 });
    return createPaymentProvider({ ...common, baseUrl, key, secret, payerUrl, rate });
  };
  return {
    escrow:
      escrowUrl === null
        ? null
        : createEscrowProvider({
            ...common,
            baseUrl: escrowUrl,
            apiKey: adapters.escrowApiKey ?? SANDBOX.apiKey,
            rate: rateOf(providers.escrowUrl, { max: adapters.escrowRatePerMinute, windowMs: 60_000 }),
          }),
    payment: openPayment({
      key: adapters.paymentKey ?? SANDBOX.key,
      secret: adapters.paymentSecret ?? SANDBOX.secret,
      baseUrl: null,
      payerUrl: null,
    }),
    openPayment,
    network:
      ledgerUrl === null
        ? null
        : createLedgerNetwork({
            ...common,
            baseUrl: ledgerUrl,
            rpcUrl,
            passphrase,
            rate: rateOf(providers.ledgerUrl, { max: adapters.ledgerRatePerMinute, windowMs: 60_000 }),
          }),
    asset: { code: 'USDC', issuer: adapters.ledgerAssetIssuer ?? SANDBOX.issuer },
    watchCalls: (listener) => void listeners.push(listener),
    urls: { escrow: escrowUrl, payment: paymentUrl },
  };
}

// Our own sandbox has no limit unless a setting gives it one.
function rateOf(url: string | null, rate: NonNullable<ClientOptions['rate']>): ClientOptions['rate'] {
  return url === null || rate.max === 0 ? null : rate;
}
