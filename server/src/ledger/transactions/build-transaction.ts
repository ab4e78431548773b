// Draws up a transaction: the next sequence number and the time from the ledger, the operations from the actions, the
// signatures from the signer. Sends nothing.

import { formatInstant } from '../../base/instant.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import type { LedgerAsset } from '../../providers/ports.ts';
import { buildTransaction, operationCount } from '../format/build-transaction.ts';
import type { Signer } from '../keys/signer.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerAction } from './ledger-transaction.ts';

export type BuildRequest = {
  readonly marketplaceId: string;
  readonly wallet: Wallet;
  readonly actions: readonly LedgerAction[];
};

export type Drawn =
  | {
      readonly kind: 'yes';
      readonly id: string;
      readonly sequence: string;
      readonly envelope: string;
      readonly validUntil: string;
      /** Instead of those that were asked for, where only the signed transaction tells all about them. */
      readonly actions?: readonly LedgerAction[];
    }
  | { readonly kind: 'no'; readonly reason: string; readonly code?: string | null }
  | { readonly kind: 'unknown'; readonly reason: string };

export type BuildOptions = {
  readonly ledger: Ledger;
  readonly signer: Signer;
  readonly usdc: LedgerAsset;
  findWallets(marketplaceId: string, ids: readonly string[]): Promise<Wallet[]>;
  /** The most we bid for one operation; the network takes what it needs. */
  readonly feePerOperation?: Amount;
  /** How long the ledger may include it. */
  readonly validForS?: number;
};

const FEE_PER_OPERATION = fromUnits(10_000n);
const VALID_FOR_S = 60;

export const createTransactionBuilder = (options: BuildOptions) => {
  const { ledger, signer, usdc, feePerOperation = FEE_PER_OPERATION, validForS = VALID_FOR_S } = options;

  /** The source, and every wallet that is made by it and has to agree to trust the asset. */
  const signersOf = async ({ marketplaceId, wallet, actions }: BuildRequest): Promise<Wallet[]> => {
    const ids = actions.flatMap((action) => (action.type === 'activate' ? [action.walletId] : []));
    return ids.length === 0 ? [wallet] : [wallet, ...(await options.findWallets(marketplaceId, ids))];
  };

  return async (ask: BuildRequest): Promise<Drawn> => {
    const { marketplaceId, wallet, actions } = ask;
    const { address: source } = wallet;
    const [account, latest] = await Promise.all([ledger.account(source), ledger.latestLedger()]);
    if (account.kind !== 'yes') return { kind: 'unknown', reason: account.reason };
    if (latest.kind !== 'yes') return { kind: 'unknown', reason: latest.reason };
    if (account.value === null) return { kind: 'no', reason: 'The wallet has no account on the ledger yet.' };
    const ledgerTimeMs = Date.parse(latest.value.closedAt);
    const validUntilS = Math.floor(ledgerTimeMs / 1_000) + validForS;
    const sequence = account.value.sequence + 1n;
    const networkPassphrase = ledger.passphrase;
    const terms = { networkPassphrase, source, sequence, feePerOperation, validUntilS, asset: usdc };
    const signed = await signer.sign({
      marketplaceId,
      envelopeXdr: buildTransaction(terms, actions),
      expectation: {
        networkPassphrase,
        source,
        sequence,
        feeMax: fromUnits(feePerOperation * BigInt(operationCount(actions))),
        ledgerTimeMs,
        validMaxMs: validForS * 1_000,
        purpose: { kind: 'actions', actions },
      },
      wallets: await signersOf(ask),
    });
    if (signed.kind === 'refused') return { kind: 'no', reason: signed.reason };
    const validUntil = formatInstant(signed.validUntilMs * 1_000);
    return { kind: 'yes', id: signed.hash, sequence: String(sequence), envelope: signed.envelopeXdr, validUntil };
  };
};

export type Draw = ReturnType<typeof createTransactionBuilder>;
