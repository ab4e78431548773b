// Opens the three adapters as the settings say: at the real systems, at the simulators of the sandbox, or not at all.

import type { Config } from '../config/config.ts';
import type { TellCall } from './call-record.ts';
import { createEscrowProvider } from './escrow/escrow-provider.ts';
import type { EscrowProvider } from './escrow-port.ts';
import type { ClientOptions } from './http-client.ts';
import type { LedgerAsset, LedgerNetwork } from './ledger-port.ts';
import { createLedgerNetwork } from './network/ledger-network.ts';
import { createPaymentProvider } from './payment/payment-provider.ts';
import type { PaymentProvider } from './payment-port.ts';

/** A system that is null has no address: what needs it cannot be done. */
export type Providers = {
  escrow: EscrowProvider | null;
  payment: PaymentProvider | null;
  network: LedgerNetwork | null;
  /** USDC, as this ledger has it. */
  asset: LedgerAsset;
  /** Where each is asked for, for the health check. */
  urls: { readonly escrow: string | null; readonly payment: string | null };
};

/** The simulators' credentials, as docs/sandbox.md publishes them. The issuer follows from the passphrase. */
export const SANDBOX = {
  apiKey: 'sandbox-escrow-key',
  key: 'sandbox-key',
  secret: 'sandbox-secret',
  passphrase: 'Holdfast Sandbox Network ; 2026',
  issuer: 'GBOX4V24CJTAWBNM6SV4UCLAOPUQXKSV2WHTRTRYJTS66COLMMCXJ7L6',
} as const;

export type Surroundings = {
  /** Where the sandbox listens, once it does; null when there is none. */
  sandboxUrl: string | null;
  tell?: TellCall;
};

type Settings = Pick<Config, 'providers' | 'adapters' | 'sandbox'>;

/** Whether the server is to start the sandbox: as it was told, else while no system has an address. */
export const wantsSandbox = ({ providers, sandbox }: Pick<Settings, 'providers' | 'sandbox'>): boolean =>
  sandbox.isOn ?? Object.values(providers).every((url) => url === null);

export function openProviders({ providers, adapters }: Settings, { sandboxUrl, tell }: Surroundings): Providers {
  const { timeoutMs, concurrencyMax } = adapters;
  const common = { timeoutMs, concurrencyMax, ...(tell === undefined ? {} : { tell }) };
  const at = (url: string | null, path: string) => url ?? (sandboxUrl === null ? null : sandboxUrl + path);
  const escrowUrl = at(providers.escrowUrl, '/escrow-provider');
  const paymentUrl = at(providers.paymentUrl, '/payment-provider/v2');
  const ledgerUrl = at(providers.ledgerUrl, '/ledger');
  const passphrase = adapters.ledgerPassphrase ?? SANDBOX.passphrase;
  return {
    escrow:
      escrowUrl === null
        ? null
        : createEscrowProvider({
            ...{ ...common, baseUrl: escrowUrl, apiKey: adapters.escrowApiKey ?? SANDBOX.apiKey },
            rate: rateOf(providers.escrowUrl, { max: adapters.escrowRatePerMinute, windowMs: 60_000 }),
          }),
    payment:
      paymentUrl === null
        ? null
        : createPaymentProvider({
            ...{ ...common, baseUrl: paymentUrl },
            key: adapters.paymentKey ?? SANDBOX.key,
            secret: adapters.paymentSecret ?? SANDBOX.secret,
            payerUrl: adapters.paymentPayerUrl ?? new URL(paymentUrl).origin,
            rate: rateOf(providers.paymentUrl, { max: adapters.paymentRatePerSecond, windowMs: 1_000 }),
          }),
    network: ledgerUrl === null ? null : createLedgerNetwork({ ...common, baseUrl: ledgerUrl, passphrase }),
    asset: { code: 'USDC', issuer: adapters.ledgerAssetIssuer ?? SANDBOX.issuer },
    urls: { escrow: escrowUrl, payment: paymentUrl },
  };
}

// Our own sandbox has no limit unless it is told to have one.
function rateOf(url: string | null, rate: NonNullable<ClientOptions['rate']>): ClientOptions['rate'] {
  return url === null || rate.max === 0 ? null : rate;
}
