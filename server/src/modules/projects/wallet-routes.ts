// The route that links a wallet of the caller.

import * as api from '@holdfast/contract/surface-b/wallets.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { parseAddress } from '../../base/ledger-address.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import { linkWallet } from '../wallets/link-wallet.ts';
import { refusal } from './surface/refusal.ts';
import { personal, type SurfaceBRoute } from './surface/route.ts';

export const walletRoutes = ({ submit }: { readonly submit: Submit }): SurfaceBRoute[] => [
  personal(api.connectWallet, async ({ userId, body, context }) => {
    const address = body.public_key;
    if (!parseAddress(address)) throw refusal('badPublicKey');
    const linked = runCommand(submit, { command: linkWallet, input: { userId, address }, context });
    const { wallet } = await linked.catch((error: unknown) => {
      throw isDomainError(error) && error.code === 'INVALID_STATE' ? refusal('publicKeyTaken') : error;
    });
    return { wallet_id: wallet.id, public_key: wallet.address, connected_at: wallet.createdAt };
  }),
];
