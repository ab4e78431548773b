// Wallet routes: a user's address on the ledger network, its balance, and its transactions.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Id, Limit, Nullable, Strict, Text, Timestamp, UserParams } from './fields.ts';

const EXAMPLE_ADDRESS = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

const Address = (description: string) => Type.String({ description, examples: [EXAMPLE_ADDRESS] });

const ExactAmount = (description: string) =>
  Type.String({ description: `${description} Decimal string with seven decimal places.`, examples: ['25.0000000'] });

const wallet = {
  id: Id('wallet', 'Wallet id.'),
  publicKey: Address('Its address.'),
  type: Type.Enum(['INVISIBLE', 'EXTERNAL'] as const, {
    description: 'INVISIBLE: this service holds the key. EXTERNAL: the user holds the key.',
  }),
  provider: Type.Literal('STELLAR', { description: 'The ledger network.' }),
  isActive: Type.Boolean({
    description: 'Whether the wallet can receive payments; a new wallet is activated after a few seconds.',
  }),
  isPrimary: Type.Boolean({ description: 'Whether payments are made from this wallet.' }),
};
const createdAt = Timestamp('When the wallet was created or linked.');

export const Wallet = Type.Object({ ...wallet, createdAt });

export const WalletWithBalance = Type.Object({
  ...wallet,
  balance: Type.Object({
    usdc: ExactAmount('Balance on the ledger now.'),
    xlm: ExactAmount('Balance on the ledger now.'),
  }),
  createdAt,
});

export const DepositAddress = Type.Object({
  provider: Type.Literal('crypto'),
  method: Type.Literal('stellar_address'),
  address: Address('The address to send to.'),
  asset: Type.Object({ code: Type.String({ examples: ['USDC'] }), issuer: Address('Issuer of the asset.') }),
  network: Type.String({ description: 'Passphrase of the network. Payments on any other network do not arrive.' }),
  instructions: Type.String({ description: 'Instructions for the payer.' }),
});

export const WalletTransaction = Type.Object({
  id: Type.String({ description: 'Id of the payment on the ledger.' }),
  type: Type.Enum(['CREATE_ACCOUNT', 'PAYMENT', 'PATH_PAYMENT', 'CONTRACT_TRANSFER'] as const),
  from: Nullable(Address('Payer.')),
  to: Nullable(Address('Receiver of the payment.')),
  amount: ExactAmount('Amount of the payment.'),
  asset: Type.Object({
    code: Type.String({ examples: ['USDC'] }),
    issuer: Nullable(Type.String({ description: 'Null for the native asset.', examples: [EXAMPLE_ADDRESS] })),
  }),
  createdAt: Timestamp('When the payment was included in the ledger.'),
  hash: Type.String({ description: 'Hash of the transaction with the payment.' }),
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
  description: 'The primary wallet with its current balance on the ledger; zeros while the wallet is not active.',
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
  description: 'Money sent to this address belongs to the operator and covers what users spend on the ledger.',
  status: 200,
  wrapping: 'plain',
  data: DepositAddress,
  errors: ['WALLET_NOT_FOUND'],
});

export const listWalletTransactions = endpoint({
  ...reads,
  path: '/users/:userId/wallet/transactions',
  summary: 'List wallet transactions',
  description: 'Incoming and outgoing payments of the primary wallet, as the ledger shows them.',
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
  description: 'Links an address whose key the user holds. Linking the same address again gives 200.',
  params: UserParams,
  body: Strict({ publicKey: Text(LIMITS.referenceLength, 'Its address.', EXAMPLE_ADDRESS) }),
  status: 201,
  otherStatus: 200,
  wrapping: 'plain',
  data: Wallet,
  errors: ['USER_NOT_FOUND', 'INVALID_STATE'],
  idempotent: true,
});
