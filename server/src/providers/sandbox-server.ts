// Starts the simulators of the outside systems beside the server, for a machine without any. They speak over HTTP like the
// real ones; nothing else of them is used here.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { EscrowFactories } from '../ledger/keys/check-escrow.ts';

export type RunningSandbox = {
  readonly url: string;
  /** The contracts that deploy its escrows. */
  readonly factories: EscrowFactories;
  /** What its payment webhooks are signed with. */
  readonly webhookSecret: string;
  /** What its escrow webhooks are signed with. */
  readonly escrowWebhookSecret: string;
  /** An outsider's payment of play money. */
  fill(address: string): Promise<void>;
  /** Where its webhooks go, once the server knows its own address. */
  tell(urls: { readonly payment: string; readonly escrow: string }): void;
  close(): Promise<void>;
};

const PLAY_MONEY = '1000000.00';

const factoriesIn = (described: Record<string, unknown>): EscrowFactories =>
  Object.fromEntries(
    Object.entries(described.escrowFactories as Record<string, string>).map(([type, address]) => [
      type,
      { address, codeHash: null },
    ]),
  );

export const startSandboxBeside = async (
  config: Pick<Config, 'sandbox' | 'data' | 'adapters'>,
  options: { stateFile?: string | null } = {},
): Promise<RunningSandbox> => {
  // Loaded only when it is wanted: a server with real providers needs none of it.
  const { startSandbox } = await import('@holdfast/sandbox/sandbox.ts');
  const { host, port } = config.sandbox;
  const stateFile = options.stateFile === undefined ? join(config.data.dir, 'sandbox.jsonl') : options.stateFile;
  const { url, urls, describe, setWebhook, setEscrowWebhook, close } = await startSandbox({ host, port, stateFile });
  const secret = config.adapters.paymentWebhookSecret ?? `whsec_${randomBytes(24).toString('base64')}`;
  const escrowSecret = config.adapters.escrowWebhookSecret ?? randomBytes(24).toString('base64');
  return {
    url,
    factories: factoriesIn(describe()),
    webhookSecret: secret,
    escrowWebhookSecret: escrowSecret,
    close,
    tell({ payment, escrow }) {
      setWebhook({ url: payment, secret, spelling: 'native' });
      setEscrowWebhook({ url: escrow, secret: escrowSecret });
    },
    async fill(address) {
      const answer = await fetch(`${urls.control}/faucet`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ address, asset: 'USDC', amount: PLAY_MONEY }),
      });
      if (!answer.ok) throw new Error(`The sandbox's faucet answered ${answer.status}.`);
    },
  };
};
