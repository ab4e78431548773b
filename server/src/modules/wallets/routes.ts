// Wallet routes, and their wiring.

import * as api from '@holdfast/contract/api/wallets.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { parseAddress } from '../../base/ledger-address.ts';
import type { Config } from '../../config/config.ts';
import type { Secrets } from '../../config/secrets.ts';
import { badCursor } from '../../http/checked-values.ts';
import { list, type Page, type Route, read, write } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import { createWalletChallenges } from '../../ledger/format/wallet-challenge.ts';
import type { Wallet } from '../../ledger/keys/wallet.ts';
import type { WalletReads } from '../../ledger/keys/wallet-queries.ts';
import type { LedgerModule } from '../../ledger/wire.ts';
import { linkWallet } from './link-wallet.ts';
import {
  type OnLedger,
  presentDepositAddress,
  presentWallet,
  presentWalletTransaction,
  presentWalletWithBalance,
  type WalletPayment,
} from './present.ts';
import { walletProofRoutes } from './proof-routes.ts';
import { createWalletView } from './wallet-view.ts';

type Parts = {
  readonly wallets: Pick<WalletReads, 'ofUser' | 'ofPlatform'>;
  /** Refuses with PROVIDER_TIMEOUT when the ledger is unreachable. */
  readonly ledger: {
    balances(address: string): Promise<OnLedger | null>;
    payments(request: { address: string; cursor: string | null; limit: number }): Promise<Page<WalletPayment>>;
  };
  /** Requests the activation of a wallet. Refuses with WALLET_ACTIVATION_LIMIT when it has to wait for another day. */
  activate(place: { marketplaceId: string; walletId: string }): Promise<void>;
  readonly network: string;
  readonly asset: { readonly code: string; readonly issuer: string };
};

/** A data entry of the ledger has a name of at most 64 bytes, and `auth` is behind the domain. */
const DOMAIN_MAX = 59;
const CURSOR = /^\d{1,18}$/;

const validAddress = (publicKey: string): string => {
  if (parseAddress(publicKey)) return publicKey;
  throw validationError(['publicKey must be the address of an account: 56 characters that begin with G']);
};

const validCursor = (cursor: string | undefined): string | null => {
  if (cursor !== undefined && !CURSOR.test(cursor)) throw badCursor();
  return cursor ?? null;
};

export const walletRoutes = ({ wallets, ledger, activate, network, asset }: Parts): Route[] => {
  const walletOf = async (marketplaceId: string, userId: string): Promise<Wallet> => {
    const { exists, wallet } = await wallets.ofUser(marketplaceId, userId);
    if (wallet) return wallet;
    throw new DomainError(exists ? 'WALLET_NOT_FOUND' : 'USER_NOT_FOUND');
  };

  return [
    read(api.getWallet, async ({ params, context }) => {
      const wallet = await walletOf(context.marketplaceId, params.userId);
      const onLedger = wallet.status === 'ACTIVE' ? await ledger.balances(wallet.address) : null;
      return presentWalletWithBalance(wallet, onLedger);
    }),
    read(api.getDepositAddress, async ({ params, context }) => {
      const wallet = await walletOf(context.marketplaceId, params.userId);
      if (wallet.type === 'EXTERNAL') {
        throw new DomainError('WALLET_NOT_FOUND', {
          message: 'This user has only an external wallet. Payments to it are not credited.',
        });
      }
      if (wallet.status === 'PENDING') await activate({ marketplaceId: context.marketplaceId, walletId: wallet.id });
      return presentDepositAddress(wallet, { asset, network });
    }),
    read(api.getTreasuryAddress, async ({ context }) => {
      const wallet = await wallets.ofPlatform(context.marketplaceId, 'treasury');
      if (wallet) return presentDepositAddress(wallet, { asset, network });
      throw new DomainError('WALLET_NOT_FOUND', {
        message: 'The treasury is created with the first user. Create a user, then retry.',
      });
    }),
    list(api.listWalletTransactions, async ({ params, query, context }) => {
      const cursor = validCursor(query.cursor);
      const { address } = await walletOf(context.marketplaceId, params.userId);
      const page = await ledger.payments({ address, cursor, limit: query.limit ?? LIMITS.pageSizeDefault });
      return { items: page.items.map(presentWalletTransaction), nextCursor: page.nextCursor };
    }),
    write(api.linkWallet, {
      command: linkWallet,
      input: ({ params, body }) => ({ userId: params.userId, address: validAddress(body.publicKey) }),
      present: ({ wallet }) => presentWallet(wallet),
      status: ({ created }) => (created ? 201 : 200),
    }),
  ];
};

type WireOptions = {
  readonly ledger: LedgerModule;
  readonly config: Pick<Config, 'treasury' | 'payments'>;
  /** The key that signs challenges follows from them. */
  readonly secrets: Pick<Secrets, 'jwtSecrets'>;
};

const domainOf = ({ treasury, payments: { publicUrl } }: WireOptions['config']): string => {
  if (treasury.proofDomain !== null) return treasury.proofDomain;
  return publicUrl === null ? 'localhost' : new URL(publicUrl).hostname.slice(-DOMAIN_MAX);
};

export const wireWallets = ({ ledger, config, secrets }: WireOptions): readonly Route[] => {
  const { wallets, network, asset, requestActivation } = ledger;
  const challenges = createWalletChallenges({
    secrets: secrets.jwtSecrets,
    networkPassphrase: network.passphrase,
    domain: domainOf(config),
    validForMs: config.treasury.challengeMs,
  });
  return [
    ...walletRoutes({
      wallets,
      activate: requestActivation,
      ledger: createWalletView({ network, asset }),
      network: network.passphrase,
      asset: { code: asset.code, issuer: asset.issuer ?? '' },
    }),
    ...walletProofRoutes({ wallets, network, challenges }),
  ];
};
