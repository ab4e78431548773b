// Wallet routes: a user's address on the ledger network, its balance, and its transactions.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Id, Limit, Nullable, Page, SHOWN, Strict, Text, Timestamp, UserParams } from './fields.ts';

const EXAMPLE_ADDRESS = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

const Address = (description: string) => Type.String({ description, examples: [EXAMPLE_ADDRESS] });

const ExactAmount = (description: string) =>
  Type.String({
    description: `${description} Decimal string with seven decimal places.`,
    examples: ['25.0000000'],
    ...SHOWN,
  });

const wallet = {
  id: Id('wallet', 'Wallet id.'),
  publicKey: Address('Its address.'),
  type: Type.Enum(['INVISIBLE', 'EXTERNAL'] as const, {
    description: 'INVISIBLE: this service holds the key. EXTERNAL: the user holds the key.',
  }),
  provider: Type.Literal('STELLAR', { description: 'The ledger network.' }),
  isActive: Type.Boolean({
    description:
      'Whether the wallet can receive payments. A wallet is activated when it is first needed, for example when its deposit address is asked for.',
  }),
  isPrimary: Type.Boolean({ description: 'Whether payments are made from this wallet.' }),
  provedAt: Type.Optional(Timestamp('When the user proved to hold the key of a linked wallet. Left out until then.')),
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

export const listWallets = endpoint({
  ...reads,
  path: '/users/:userId/wallets',
  summary: 'List wallets',
  description: 'The custodial wallet and the linked wallets of a user, newest first.',
  query: Strict(Page),
  wrapping: 'list',
  data: Wallet,
  errors: ['USER_NOT_FOUND'],
});

export const getDepositAddress = endpoint({
  ...reads,
  path: '/users/:userId/wallet/deposit',
  summary: 'Get deposit address',
  description:
    'The first request activates the wallet on the ledger. The wallet can receive payments as soon as it is active.',
  data: DepositAddress,
  errors: [...reads.errors, 'WALLET_ACTIVATION_LIMIT'],
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

export const WalletChallenge = Type.Object({
  transaction: Type.String({
    description: 'The challenge: a transaction in base64 that no ledger accepts. The wallet signs it.',
  }),
  networkPassphrase: Type.String({ description: 'Passphrase of the network that the signature is for.' }),
  publicKey: Address('The wallet that has to sign.'),
  signedBy: Address('The key of this server, which has signed the challenge.'),
  homeDomain: Type.String({ description: 'Host name in the challenge.', examples: ['pay.shop.example'] }),
  expiresAt: Timestamp('Until when the signed challenge is accepted.'),
});

const proving = {
  tag: 'Wallets',
  method: 'POST',
  access: 'write',
  params: UserParams,
  status: 200,
  wrapping: 'plain',
} as const;

export const challengeWallet = endpoint({
  ...proving,
  path: '/users/:userId/wallet/challenge',
  summary: 'Challenge a linked wallet',
  description: `A transaction in the form of SEP-10 (sequence number 0, data entry "<home domain> auth", signed by this server). The
user signs it in the wallet and the result is sent to \`POST /users/{userId}/wallet/proof\`. Without \`publicKey\` it is for the wallet
that was linked last. Nothing is stored. A custodial wallet has nothing to prove: 409 \`INVALID_STATE\`.`,
  body: Strict({
    publicKey: Type.Optional(Text(LIMITS.referenceLength, 'Address of the linked wallet.', EXAMPLE_ADDRESS)),
  }),
  bodyOptional: true,
  data: WalletChallenge,
  errors: ['USER_NOT_FOUND', 'WALLET_NOT_FOUND', 'INVALID_STATE'],
});

export const proveWallet = endpoint({
  ...proving,
  path: '/users/:userId/wallet/proof',
  summary: 'Prove a linked wallet',
  description: `Checks the signed challenge and marks the wallet as proved. An account with several signers needs signatures with the
weight of its medium threshold; a key that may no longer sign for its account proves nothing. A wallet that is proved already is returned
unchanged.`,
  body: Strict({ transaction: Text(LIMITS.envelopeLength, 'The signed challenge, in base64.') }),
  data: Wallet,
  errors: ['USER_NOT_FOUND', 'WALLET_NOT_FOUND', 'WALLET_PROOF_INVALID', 'PROVIDER_TIMEOUT'],
  idempotent: true,
});
