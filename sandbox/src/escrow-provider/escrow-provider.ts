// The simulator of the escrow provider: prepares calls of the escrow contracts for signing, submits them, and answers from its index.
// It has no state of its own: everything it knows of an escrow is on the ledger.

import type { Clock } from '../clock.ts';
import { formatAmount } from '../ledger-network/amounts.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import type { EscrowConfig, EscrowWebhookTarget } from '../sandbox-config.ts';
import type { Simulator, SimulatorTools } from '../simulator.ts';
import type { EscrowType } from './contract/escrow.ts';
import { codeHash, factoryAddress, factoryProgram } from './contract/factory.ts';
import { escrowProgram } from './contract/program.ts';
import { apiError } from './errors.ts';
import { presentEscrow } from './present-escrow.ts';
import { helperRoutes } from './routes-helper.ts';
import { writeRoutes } from './routes-write.ts';
import { type EscrowEventRequest, type EventResult, sendEscrowEvent } from './webhook.ts';

export type EscrowProvider = Simulator & {
  // Sends one webhook, if it is true.
  sendEvent(event: EscrowEventRequest): Promise<EventResult>;
  setWebhook(target: EscrowWebhookTarget | null): void;
};

const TYPES: EscrowType[] = ['single-release', 'multi-release'];

export function escrowProvider(tools: SimulatorTools<EscrowConfig> & { ledger: LedgerNetwork }): EscrowProvider {
  const { app, clock, config, ledger } = tools;
  const { passphrase, protocolFees } = ledger;
  const limit = config.rateLimit ? rateLimit(clock) : () => {};

  app.addHook('onRequest', async (request) => {
    if (request.headers['x-api-key'] !== config.apiKey) {
      throw apiError(401, 'Unauthorized: send a valid key in the header x-api-key', 'UNAUTHORIZED');
    }
    limit();
  });
  app.setNotFoundHandler((request) => {
    throw apiError(404, `Cannot ${request.method} ${request.url.split('?')[0]}`, 'NOT_FOUND');
  });
  writeRoutes(tools);
  helperRoutes(tools);

  ledger.install('escrow', escrowProgram({ protocolFeeBps: config.protocolFeeBps, protocolFees }));
  for (const type of TYPES) ledger.install(`${type} factory`, factoryProgram({ type, passphrase }));

  let webhook: EscrowWebhookTarget | null = null;

  return {
    sendEvent: (event) => sendEscrowEvent({ ledger, target: () => webhook }, event),
    setWebhook(target) {
      webhook = target;
    },
    begin() {
      for (const type of TYPES) ledger.found({ address: factoryAddress(type, passphrase), program: `${type} factory` });
    },
    describe: () => ({
      escrowFactories: Object.fromEntries(TYPES.map((type) => [type, factoryAddress(type, passphrase)])),
      escrowCodeHashes: Object.fromEntries(TYPES.map((type) => [type, Buffer.from(codeHash(type)).toString('hex')])),
      contracts: [...ledger.contracts()]
        .filter(({ program }) => program === 'escrow')
        .map((contract) => ({
          ...presentEscrow(contract, { ledger }),
          balances: exact(contract.balances),
          received: formatAmount(ledger.movesOf(contract.address).received),
        })),
    }),
  };
}

const exact = (balances: Record<string, bigint>) =>
  Object.fromEntries(Object.entries(balances).map(([asset, units]) => [asset, formatAmount(units)]));

const REQUESTS_MAX = 50;
const WINDOW_MS = 60_000;

// Off by default. Counted on the clock of the simulators.
function rateLimit(clock: Clock): () => void {
  let windowEnds = 0;
  let requests = 0;
  return () => {
    const now = clock.now();
    if (now >= windowEnds) {
      windowEnds = now + WINDOW_MS;
      requests = 0;
    }
    requests++;
    if (requests > REQUESTS_MAX) throw apiError(429, 'Too many requests: 50 in 60 seconds are allowed');
  };
}
