// Wires the key-encryption keys of the service: heartbeat, routes and the job that reseals. It decides nothing.

import type pg from 'pg';
import { createSingleFlight } from '../../base/one-at-a-time.ts';
import type { Submit } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import type { KeyRing } from '../../ledger/keys/key-ring.ts';
import { createWalletReads } from '../../ledger/keys/wallet-queries.ts';
import type { Notifier } from '../../postgres/notifier.ts';
import { createOperatorReads } from '../operators/queries.ts';
import { createCredentialReads } from '../provider-credentials/queries.ts';
import { createEndpointReads } from '../webhook-endpoints/queries.ts';
import { createKeyHolders } from './holders.ts';
import { createKeyWatch } from './key-watch.ts';
import { type ResealParts, resealJob, resealSecrets } from './reseal-secrets.ts';
import { walletKeyRoutes } from './routes.ts';
import { readWalletKeyState } from './wallet-key-state.ts';

type Options = {
  readonly config: Config;
  readonly ring: KeyRing;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly notifier: Pick<Notifier, 'on' | 'notify'>;
  onTrouble(message: string, error: unknown): void;
};

export const resealPartsOf = ({ ring, pool, submit }: Pick<Options, 'ring' | 'pool' | 'submit'>): ResealParts => ({
  ring,
  submit,
  wallets: createWalletReads(pool),
  credentials: createCredentialReads(pool),
  endpoints: createEndpointReads(pool),
  operators: createOperatorReads(pool),
  holders: createKeyHolders(pool),
  readState: () => readWalletKeyState(pool),
});

export const wireWalletKeys = ({ config, ring, pool, submit, notifier, onTrouble }: Options) => {
  const parts = resealPartsOf({ ring, pool, submit });
  const running = createSingleFlight<unknown>();
  const reseal = (): Promise<unknown> => running.run('reseal', () => resealSecrets(parts));
  const watch = createKeyWatch({
    ...parts,
    holders: createKeyHolders(pool),
    beatMs: config.walletKeys.beatMs,
    onChanged: () => notifier.notify('holdfast_wallet_keys', ['changed']),
    reseal() {
      reseal().catch((error) => onTrouble('secrets could not be resealed; the job tries again', error));
    },
    onTrouble,
  });
  notifier.on('holdfast_wallet_keys', () => {
    watch
      .beat()
      .catch((error) => onTrouble('a change of the wallet keys was not read; the next heartbeat reads it', error));
  });
  return {
    routes: walletKeyRoutes({
      ...parts,
      async announce() {
        notifier.notify('holdfast_wallet_keys', ['announced']);
        await watch.beat();
      },
    }),
    jobs: [resealJob(reseal)],
    start: watch.start,
    async close(): Promise<void> {
      await watch.close();
      await running.allEnded();
    },
  };
};
