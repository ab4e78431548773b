// Linking a wallet of the caller's own.

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
  description: 'Ties an address that the caller holds the key of to the caller. The same one again is the same answer.',
  body: Strict({ public_key: Type.String({ description: 'Its ledger public key.', examples: [EXAMPLE] }) }),
  data: Type.Object({
    wallet_id: Id('wallet', 'Wallet id.'),
    public_key: Type.String({ examples: [EXAMPLE] }),
    connected_at: Timestamp('When it was connected.'),
  }),
  message: 'Wallet connected successfully',
  refusals: ['badPublicKey', 'publicKeyTaken'],
});
