// Routes of the key-encryption keys. Only the master key may call them; no answer contains a key.

import * as api from '@holdfast/contract/api/wallet-keys.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { act, type Route, read } from '../../http/route.ts';
import type { ResealParts } from './reseal-secrets.ts';
import { rotateWalletKey } from './rotate-wallet-key.ts';
import { showWalletKeys } from './status.ts';

type Parts = ResealParts & {
  /** Lets every server notice the announcement at once; returns when this server has. */
  announce(): Promise<void>;
};

export const walletKeyRoutes = (parts: Parts): Route[] => [
  read(api.getWalletKeys, () => showWalletKeys(parts)),
  act(api.rotateWalletKeys, async ({ body, context }) => {
    await rotateWalletKey(parts, {
      keyId: body?.keyId ?? null,
      context: { ...context, marketplaceId: DEFAULT_MARKETPLACE },
    });
    await parts.announce();
    return showWalletKeys(parts);
  }),
];
