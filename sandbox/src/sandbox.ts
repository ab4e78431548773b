// Starts the three simulators and their control on one port. Imports nothing of the server, because they simulate outside systems.

import type { AddressInfo } from 'node:net';
import { startClock } from './clock.ts';
import { control } from './control.ts';
import { escrowProvider } from './escrow-provider/escrow-provider.ts';
import { type Faults, keepFaults } from './faults.ts';
import { openHttp, requireLoopback } from './http.ts';
import { ledgerNetwork } from './ledger-network/ledger-network.ts';
import { payinPage } from './payment-provider/payin-page.ts';
import { paymentProvider } from './payment-provider/payment-provider.ts';
import { complete, type EscrowWebhookTarget, type SandboxOptions, type WebhookTarget } from './sandbox-config.ts';
import type { Simulator, SimulatorTools } from './simulator.ts';
import { openState, type State } from './state.ts';

export type Sandbox = {
  url: string;
  // A payer is sent to `${urls.payer}/payin/{id}`.
  urls: { escrow: string; payment: string; ledger: string; control: string; payer: string };
  clock: { now(): number; advance(ms: number): Promise<void> };
  faults: Faults;
  describe(): Record<string, unknown>;
  // Sets the address of the payment provider's webhooks, for a server that knows its own address late.
  setWebhook(target: WebhookTarget | null): void;
  // Sets the address of the escrow provider's webhooks, which control requests.
  setEscrowWebhook(target: EscrowWebhookTarget | null): void;
  close(): Promise<void>;
};

const PREFIXES = {
  escrow: '/escrow-provider',
  payment: '/payment-provider/v2',
  ledger: '/ledger',
  control: '/control',
  payer: '',
} as const;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const config = complete(options);
  requireLoopback(config.host);
  const state = openState({ file: config.stateFile });
  const { log } = config;
  const base = state.slice('base');
  const clock = startClock({ slice: base, log });
  const faults = keepFaults({ slice: base });
  const app = openHttp({ flush: state.flush, log });
  let url = '';

  const place = placeOn({ app, clock, faults, state, log, url: () => url });
  try {
    const ledger = await place(PREFIXES.ledger, { config: config.ledger, make: ledgerNetwork });
    const escrow = await place(PREFIXES.escrow, {
      config: config.escrow,
      make: (tools) => escrowProvider({ ...tools, ledger }),
    });
    const payment = await place(PREFIXES.payment, { config: config.payment, make: paymentProvider });
    const simulators: Simulator[] = [ledger, escrow, payment];
    const begin = () => {
      for (const simulator of simulators) simulator.begin();
      state.flush();
    };
    const describe = () =>
      Object.assign(
        { time: clock.iso(), faults: faults.list() },
        ...simulators.map((simulator) => simulator.describe()),
      );
    const reset = () => {
      clock.clear();
      state.clear();
      begin();
    };
    await place(PREFIXES.control, {
      config: null,
      make: ({ app }) => control({ app, clock, faults, ledger, escrow, payment, describe, reset }),
    });
    payinPage({ app, payment });
    // Before the first request: clients of a restarted sandbox are already waiting.
    begin();
    await app.listen({ port: config.port, host: config.host });
    url = addressOf(app.server.address() as AddressInfo);
    const urls = Object.fromEntries(Object.entries(PREFIXES).map(([name, prefix]) => [name, url + prefix]));
    return {
      url,
      urls: urls as Sandbox['urls'],
      clock,
      faults,
      describe,
      setWebhook: payment.setWebhook,
      setEscrowWebhook: escrow.setWebhook,
      async close() {
        for (const simulator of simulators) simulator.close?.();
        await app.close();
        clock.clear();
        state.close();
      },
    };
  } catch (error) {
    clock.clear();
    await app.close();
    state.close();
    throw error;
  }
}

type Shared = Pick<SimulatorTools<unknown>, 'app' | 'clock' | 'faults' | 'log' | 'url'> & { state: State };

// Creates a simulator under its prefix, while Fastify loads the scope of the prefix, because its routes belong there.
function placeOn({ app, clock, faults, state, log, url }: Shared) {
  return async <C, T>(prefix: string, { config, make }: { config: C; make: (tools: SimulatorTools<C>) => T }) => {
    const slice = state.slice(prefix);
    let made: T | undefined;
    await app.register(
      async (scope) => {
        const tools = { app: scope, clock, faults, slice, flush: state.flush, log, config, url: () => url() + prefix };
        made = make(tools);
      },
      { prefix },
    );
    return made as T;
  };
}

function addressOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
