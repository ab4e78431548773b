// The routes of linked wallets: their list, the challenge and the proof.

import * as api from '@holdfast/contract/api/wallets.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Context } from '../../commit/command.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { act, list, type Route, write } from '../../http/route.ts';
import type { WalletChallenges } from '../../ledger/format/wallet-challenge.ts';
import type { Wallet } from '../../ledger/keys/wallet.ts';
import type { WalletReads } from '../../ledger/keys/wallet-queries.ts';
import type { LedgerNetwork } from '../../providers/ports.ts';
import { presentWallet } from './present.ts';
import { proveWallet } from './prove-wallet.ts';

type Parts = {
  readonly wallets: Pick<WalletReads, 'ofUser' | 'listOfUser' | 'findByAddress'>;
  readonly network: Pick<LedgerNetwork, 'account' | 'passphrase'>;
  readonly challenges: WalletChallenges;
};

type Wanted = { readonly userId: string; readonly publicKey?: string };

const custodial = (): DomainError =>
  new DomainError('INVALID_STATE', {
    message: 'This service holds the key of this wallet, so there is nothing to prove. Name a linked wallet.',
    details: { currentState: 'INVISIBLE', allowedActions: [] },
  });

const unproved = (reason: string): DomainError => new DomainError('WALLET_PROOF_INVALID', { details: { reason } });

/** The wallet that has to sign: the named one, else the one that was linked last. */
const createFindLinked =
  ({ wallets }: Parts) =>
  async ({ marketplaceId }: Context, { userId, publicKey }: Wanted): Promise<Wallet> => {
    const { exists } = await wallets.ofUser(marketplaceId, userId);
    if (!exists) throw new DomainError('USER_NOT_FOUND');
    if (publicKey !== undefined) {
      const wallet = await wallets.findByAddress(marketplaceId, publicKey);
      if (wallet?.userId !== userId) throw new DomainError('WALLET_NOT_FOUND');
      if (wallet.type === 'INVISIBLE') throw custodial();
      return wallet;
    }
    const newest = await wallets.listOfUser({ marketplaceId, userId, cursor: null, limit: LIMITS.pageSizeMax });
    const linked = newest.rows.find(({ type }) => type === 'EXTERNAL');
    if (linked) return linked;
    throw new DomainError('WALLET_NOT_FOUND', {
      message: 'This user has no linked wallet. Link it with POST /users/{userId}/wallet/link first.',
    });
  };

/** The address that the signed challenge proves; refuses when it proves none. */
const createCheckProof =
  ({ challenges, network }: Parts) =>
  async ({ marketplaceId }: Context, { userId, transaction }: { userId: string; transaction: string }) => {
    const read = challenges.read(transaction, { marketplaceId, userId });
    if ('problem' in read) throw unproved(read.problem);
    const found = await network.account(read.address);
    // The ledger alone knows which keys may sign for the account.
    if (found.kind !== 'yes') throw new DomainError('PROVIDER_TIMEOUT', { details: { provider: 'ledger-network' } });
    const problem = challenges.problemOf(transaction, { ...read, account: found.value });
    if (problem !== null) throw unproved(problem);
    return read.address;
  };

export const walletProofRoutes = (parts: Parts): Route[] => {
  const { wallets, network, challenges } = parts;
  const findLinked = createFindLinked(parts);
  const checkProof = createCheckProof(parts);
  return [
    list(api.listWallets, async ({ params: { userId }, query, context }) => {
      const request = { ...pageRequest('wallet', { query, context }), userId };
      const { exists } = await wallets.ofUser(context.marketplaceId, userId);
      if (!exists) throw new DomainError('USER_NOT_FOUND');
      const page = await wallets.listOfUser(request);
      return { items: page.rows.map(presentWallet), nextCursor: page.nextCursor };
    }),
    act(api.challengeWallet, async ({ params: { userId }, body, context }) => {
      const { address } = await findLinked(context, { userId, ...body });
      const { marketplaceId } = context;
      const { expiresAtMs, ...challenge } = challenges.create({ marketplaceId, userId, address });
      return {
        ...challenge,
        networkPassphrase: network.passphrase,
        publicKey: address,
        homeDomain: challenges.domain,
        expiresAt: formatInstant(expiresAtMs * 1_000),
      };
    }),
    write(api.proveWallet, {
      command: proveWallet,
      async input({ params: { userId }, body: { transaction }, context }) {
        const { exists } = await wallets.ofUser(context.marketplaceId, userId);
        if (!exists) throw new DomainError('USER_NOT_FOUND');
        return { userId, address: await checkProof(context, { userId, transaction }) };
      },
      present: presentWallet,
    }),
  ];
};
