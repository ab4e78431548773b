// Links a wallet of the caller.

import Type from 'typebox';
import { surfaceBEndpoint } from './endpoint.ts';
import { Id, Strict, Timestamp } from './fields.ts';

const EXAMPLE = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

export const connectWallet = surfaceBEndpoint({
  method: 'POST',
  path: '/wallets/connect',
  access: 'bearer',
  tag: 'Wallets',
  summary: 'Connect wallet',
  description: 'Links an address whose key the caller holds. Linking the same address again gives the same answer.',
  body: Strict({ public_key: Type.String({ description: 'Ledger public key of the wallet.', examples: [EXAMPLE] }) }),
  data: Type.Object({
    wallet_id: Id('wallet', 'Wallet id.'),
    public_key: Type.String({ examples: [EXAMPLE] }),
    connected_at: Timestamp('When it was connected.'),
  }),
  message: 'Wallet connected successfully',
  refusals: ['badPublicKey', 'publicKeyTaken'],
});
