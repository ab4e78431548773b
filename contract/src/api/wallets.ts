// Wallet routes: a user's address on the ledger network, what lies there, and what came and went.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Id, Limit, Nullable, Strict, Text, Timestamp, UserParams } from './fields.ts';

const EXAMPLE_ADDRESS = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

const Address = (description: string) => Type.String({ description, examples: [EXAMPLE_ADDRESS] });

const ExactAmount = (description: string) =>
  Type.String({ description: `${description} Decimal string with seven places.`, examples: ['25.0000000'] });

const wallet = {
  id: Id('wallet', 'Wallet id.'),
  publicKey: Address('Its address.'),
  type: Type.Enum(['INVISIBLE', 'EXTERNAL'] as const, {
    description: 'INVISIBLE: its key is kept here. EXTERNAL: the user holds the key.',
  }),
  provider: Type.Literal('STELLAR', { description: 'The ledger network.' }),
  isActive: Type.Boolean({ description: 'Whether it can receive; a new wallet needs a moment.' }),
  isPrimary: Type.Boolean({ description: 'Whether it is the wallet that payments are made from.' }),
};
const createdAt = Timestamp('When it was made or linked.');

export const Wallet = Type.Object({ ...wallet, createdAt });

export const WalletWithBalance = Type.Object({
  ...wallet,
  balance: Type.Object({ usdc: ExactAmount('On the ledger now.'), xlm: ExactAmount('On the ledger now.') }),
  createdAt,
});

export const DepositAddress = Type.Object({
  provider: Type.Literal('crypto'),
  method: Type.Literal('stellar_address'),
  address: Address('Where to send.'),
  asset: Type.Object({ code: Type.String({ examples: ['USDC'] }), issuer: Address('Who issues the asset.') }),
  network: Type.String({ description: 'Passphrase of the network: nothing sent on another one arrives.' }),
  instructions: Type.String({ description: 'A sentence for the person who pays.' }),
});

export const WalletTransaction = Type.Object({
  id: Type.String({ description: 'Id of the payment on the ledger.' }),
  type: Type.Enum(['CREATE_ACCOUNT', 'PAYMENT', 'PATH_PAYMENT', 'CONTRACT_TRANSFER'] as const),
  from: Nullable(Address('Who paid.')),
  to: Nullable(Address('Who was paid.')),
  amount: ExactAmount('What was paid.'),
  asset: Type.Object({
    code: Type.String({ examples: ['USDC'] }),
    issuer: Nullable(Type.String({ description: 'Null for the native asset.', examples: [EXAMPLE_ADDRESS] })),
  }),
  createdAt: Timestamp('When the ledger closed with it.'),
  hash: Type.String({ description: 'Hash of the transaction it was part of.' }),
  successful: Type.Boolean(),
});

const reads = {
  tag: 'Wallets',
  method: 'GET',
  access: 'read',
  params: UserParams,
  status: 200,
  wrapping: 'plain',
  errors: ['USER_NOT_FOUND', 'WALLET_NOT_FOUND'],
} as const;

export const getWallet = endpoint({
  ...reads,
  path: '/users/:userId/wallet',
  summary: 'Get wallet',
  description: 'The primary wallet with its balance on the ledger now; zeros while it is not active yet.',
  data: WalletWithBalance,
  errors: [...reads.errors, 'PROVIDER_TIMEOUT'],
});

export const getDepositAddress = endpoint({
  ...reads,
  path: '/users/:userId/wallet/deposit',
  summary: 'Get deposit address',
  data: DepositAddress,
});

export const getTreasuryAddress = endpoint({
  tag: 'Wallets',
  method: 'GET',
  path: '/treasury/deposit',
  access: 'read',
  summary: 'Get the address that funds the treasury',
  description: "What is sent there is the operator's own, and covers what users spend on the ledger.",
  status: 200,
  wrapping: 'plain',
  data: DepositAddress,
  errors: ['WALLET_NOT_FOUND'],
});

export const listWalletTransactions = endpoint({
  ...reads,
  path: '/users/:userId/wallet/transactions',
  summary: 'List wallet transactions',
  description: 'What came to the primary wallet and what went from it, as the ledger shows it.',
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(64, 'The nextCursor of the previous page.')),
  }),
  wrapping: 'list',
  data: WalletTransaction,
  errors: [...reads.errors, 'PROVIDER_TIMEOUT'],
});

export const linkWallet = endpoint({
  tag: 'Wallets',
  method: 'POST',
  path: '/users/:userId/wallet/link',
  access: 'write',
  summary: 'Link external wallet',
  description: 'Ties an address that the user holds the key of to the user. The same address again answers 200.',
  params: UserParams,
  body: Strict({ publicKey: Text(LIMITS.referenceLength, 'Its address.', EXAMPLE_ADDRESS) }),
  status: 201,
  otherStatus: 200,
  wrapping: 'plain',
  data: Wallet,
  errors: ['USER_NOT_FOUND', 'INVALID_STATE'],
  idempotent: true,
});
