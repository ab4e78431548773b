// Starts the simulators of the outside systems as a companion of the server, for a machine without real ones. The server talks to
// them over HTTP, as to the real ones, and uses nothing else of them.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { EscrowFactories } from '../ledger/keys/check-escrow.ts';

export type RunningSandbox = {
  readonly url: string;
  /** The contracts that deploy the escrows of the sandbox. */
  readonly factories: EscrowFactories;
  /** The secret that signs its payment webhooks. */
  readonly webhookSecret: string;
  /** The secret that signs its escrow webhooks. */
  readonly escrowWebhookSecret: string;
  /** The clock of the simulators, which control moves forward; in milliseconds. */
  now(): number;
  /** Pays play money from an outside account. */
  depositTo(address: string): Promise<void>;
  /** Sets the addresses of the webhooks, once the server knows its own address. */
  setWebhooks(urls: { readonly payment: string; readonly escrow: string }): void;
  close(): Promise<void>;
};

const PLAY_MONEY = '1000000.00';

const factoriesIn = (described: Record<string, unknown>): EscrowFactories => {
  const codeHashes = described.escrowCodeHashes as Record<string, string>;
  return Object.fromEntries(
    Object.entries(described.escrowFactories as Record<string, string>).map(([type, address]) => [
      type,
      { address, codeHash: codeHashes[type] ?? null },
    ]),
  );
};

export const startSandboxServer = async (
  config: Pick<Config, 'sandbox' | 'data' | 'adapters'>,
  options: { stateFile?: string | null } = {},
): Promise<RunningSandbox> => {
  // Loaded only when it is needed: a server with real providers uses none of it.
  const { startSandbox } = await import('@holdfast/sandbox/sandbox.ts');
  const { host, port } = config.sandbox;
  const stateFile = options.stateFile === undefined ? join(config.data.dir, 'sandbox.jsonl') : options.stateFile;
  const { url, urls, clock, describe, setWebhook, setEscrowWebhook, close } = await startSandbox({
    host,
    port,
    stateFile,
  });
  const secret = config.adapters.paymentWebhookSecret ?? `whsec_${randomBytes(24).toString('base64')}`;
  const escrowSecret = config.adapters.escrowWebhookSecret ?? randomBytes(24).toString('base64');
  return {
    url,
    now: clock.now,
    factories: factoriesIn(describe()),
    webhookSecret: secret,
    escrowWebhookSecret: escrowSecret,
    close,
    setWebhooks({ payment, escrow }) {
      setWebhook({ url: payment, secret, spelling: 'native' });
      setEscrowWebhook({ url: escrow, secret: escrowSecret });
    },
    async depositTo(address) {
      const answer = await fetch(`${urls.control}/faucet`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ address, asset: 'USDC', amount: PLAY_MONEY }),
      });
      if (!answer.ok) throw new Error(`The faucet of the sandbox answered ${answer.status}.`);
    },
  };
};
