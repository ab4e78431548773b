// Starts the twins of the outside systems beside the server, for a machine without any. They speak over HTTP like the
// real ones; nothing else of them is used here.

import { join } from 'node:path';
import type { Config } from './config.ts';

export type RunningSandbox = {
  readonly url: string;
  /** An outsider's payment of play money. */
  fill(address: string): Promise<void>;
  close(): Promise<void>;
};

const PLAY_MONEY = '1000000.00';

export const startSandboxBeside = async (
  config: Pick<Config, 'sandbox' | 'data'>,
  options: { stateFile?: string | null } = {},
): Promise<RunningSandbox> => {
  // Loaded only when it is wanted: a server with real neighbours needs none of it.
  const { startSandbox } = await import('@holdfast/sandbox/sandbox.ts');
  const { host, port } = config.sandbox;
  const stateFile = options.stateFile === undefined ? join(config.data.dir, 'sandbox.jsonl') : options.stateFile;
  const { url, urls, close } = await startSandbox({ host, port, stateFile });
  return {
    url,
    close,
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
