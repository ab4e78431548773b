// Reseals every secret with the newest key-encryption key: batch by batch, through the committer, without opening a secret. It can be
// stopped and started again at any time; finished batches stay finished.

import { command, type Submit } from '../../commit/command.ts';
import type { KeyKeeper } from './key-keeper.ts';
import { keyIdOf, resealSecret, sealedWith } from './seal.ts';
import type { SealedWallet, WalletReads } from './wallet-queries.ts';

type Parts = {
  readonly wallets: Pick<WalletReads, 'countBySeal' | 'listSealedOtherwise'>;
  readonly keeper: KeyKeeper;
  readonly submit: Submit;
  readonly batch?: number;
  /** How many batches at most; without it all. */
  readonly pagesMax?: number;
  onProgress?(progress: Progress): void;
};

export type Progress = { readonly done: number; readonly of: number };

const BATCH = 100;

type Sealed = { readonly keyId: string };

/** Refuses when a key that sealed some of these rows is missing. */
export const requireSealKeys = (
  rows: readonly Sealed[],
  { keeper, what }: { readonly keeper: KeyKeeper; readonly what: string },
): void => {
  const missing = new Set(rows.filter(({ keyId }) => !keeper.has(keyId)).map(({ keyId }) => keyId));
  if (missing.size === 0) return;
  throw new Error(
    `Nothing was changed: WALLET_KEK lacks the key-encryption key ${[...missing].join(', ')}, which sealed ${what}. Add it behind the newest one and run this again.`,
  );
};

/** Refuses when a key that rows still need is missing. */
export const requireWalletKeys = async ({ wallets, keeper }: Pick<Parts, 'wallets' | 'keeper'>): Promise<void> =>
  refuseMissing((await wallets.countBySeal()).filter(({ keyId }) => !keeper.has(keyId)));

/** Refuses before the first change when a key that is still needed is missing. */
export const rotateWallets = async (parts: Parts): Promise<Progress> => {
  const { wallets, keeper, batch = BATCH, pagesMax = Number.POSITIVE_INFINITY } = parts;
  const toKeyId = keeper.currentKeyId;
  const old = (await wallets.countBySeal()).filter(({ keyId }) => keyId !== toKeyId);
  refuseMissing(old.filter(({ keyId }) => !keeper.has(keyId)));
  const of = old.reduce((sum, row) => sum + row.wallets, 0);
  let done = 0;
  let pages = 0;
  for (const marketplaceId of new Set(old.map((row) => row.marketplaceId))) {
    for (let afterId = ''; pages < pagesMax; pages++) {
      const prefix = sealedWith(toKeyId);
      const page = await wallets.listSealedOtherwise({ marketplaceId, prefix, afterId, limit: batch });
      if (page.length === 0) break;
      done += await rotatePage(parts, { marketplaceId, page });
      parts.onProgress?.({ done, of });
      afterId = page.at(-1)!.id;
    }
  }
  return { done, of };
};

const refuseMissing = (missing: readonly { keyId: string; wallets: number }[]): void => {
  if (missing.length === 0) return;
  const counts = new Map<string, number>();
  for (const { keyId, wallets } of missing) counts.set(keyId, (counts.get(keyId) ?? 0) + wallets);
  const list = [...counts].map(([keyId, count]) => `${keyId} (${count} wallets)`).join(', ');
  throw new Error(
    `Nothing was changed: WALLET_KEK lacks the key-encryption key ${list}. Add it behind the newest one and run this again.`,
  );
};

type Page = { readonly marketplaceId: string; readonly page: readonly SealedWallet[] };

const rotatePage = async ({ keeper, submit }: Parts, { marketplaceId, page }: Page): Promise<number> => {
  const resealed: ResealedWallet[] = [];
  for (const { id, address, sealedSecret } of page) {
    const place = { marketplaceId, walletId: id, address };
    const to = await resealSecret(keeper, { sealed: sealedSecret, place });
    resealed.push({ id, from: sealedSecret, to, fromKeyId: keyIdOf(sealedSecret), toKeyId: keyIdOf(to) });
  }
  const context = {
    marketplaceId,
    actor: { type: 'system', id: 'rotate-wallets' },
    requestId: `rotate-wallets-${page[0]!.id}`,
  } as const;
  const outcome = await submit({ command: rotateWalletKey, input: { wallets: resealed }, context });
  return outcome.kind === 'reply' ? outcome.reply.rotated : 0;
};

type ResealedWallet = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Ids of the key-encryption keys, for the audit trail, which never contains the sealed texts. */
  readonly fromKeyId: string;
  readonly toKeyId: string;
};

type RotateInput = { readonly wallets: readonly ResealedWallet[] };

/** Stores the secrets that a rotation resealed. A wallet that changed since it was read is skipped: the next run finds it. */
const rotateWalletKey = command<RotateInput, { readonly rotated: number }>({
  name: 'rotate-wallet-key',
  needs: ({ wallets }) => ({ rows: wallets.map(({ id }) => ({ table: 'wallets', id })) }),
  decide({ wallets }, work) {
    let rotated = 0;
    for (const { id, from, to, fromKeyId, toKeyId } of wallets) {
      const wallet = work.find('wallets', id);
      if (wallet?.sealedSecret !== from) continue;
      work.put('wallets', { ...wallet, sealedSecret: to, updatedAt: work.now });
      work.audit({
        action: 'WALLET_KEY_ROTATED',
        resourceType: 'Wallet',
        resourceId: id,
        ...(wallet.userId === null ? {} : { userId: wallet.userId }),
        before: { keyEncryptionKey: fromKeyId },
        after: { keyEncryptionKey: toKeyId },
      });
      rotated += 1;
    }
    return { rotated };
  },
});
