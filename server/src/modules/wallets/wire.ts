// Wires the wallet routes. It decides nothing.

import type { Route } from '../../http/route.ts';
import type { LedgerModule } from '../../ledger/wire.ts';
import { walletRoutes } from './routes.ts';
import { createWalletView } from './wallet-view.ts';

export const wireWallets = ({ wallets, network, asset }: LedgerModule): readonly Route[] =>
  walletRoutes({
    wallets,
    ledger: createWalletView({ network, asset }),
    network: network.passphrase,
    asset: { code: asset.code, issuer: asset.issuer ?? '' },
  });
