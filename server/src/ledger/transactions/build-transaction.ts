// Builds and signs a transaction: the sequence number and the time come from the ledger, the operations from the actions, the
// signatures from the signer. It submits nothing.

import { type Answer, no, yes } from '../../base/answer.ts';
import { formatInstant } from '../../base/instant.ts';
import { fromUnits } from '../../books/money.ts';
import type { LedgerAsset } from '../../providers/ports.ts';
import { buildTransaction, operationCount } from '../format/build-transaction.ts';
import type { Signer } from '../keys/signer.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { FeeBids } from './fee-bids.ts';
import { asUnknown, type Ledger } from './ledger.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';

export type BuildRequest = {
  readonly marketplaceId: string;
  readonly wallet: Wallet;
  readonly actions: readonly LedgerAction[];
};

export type BuiltTransaction = Pick<LedgerTransaction, 'id' | 'sequence' | 'envelope' | 'validUntil'> & {
  /** Replaces the requested actions where only the signed transaction has all their fields. */
  readonly actions?: readonly LedgerAction[];
};

type BuildOptions = {
  readonly ledger: Ledger;
  readonly signer: Signer;
  readonly usdc: LedgerAsset;
  findWallets(marketplaceId: string, ids: readonly string[]): Promise<Wallet[]>;
  /** The highest fee that we bid for one operation; the network takes what it needs. */
  readonly feeBids: Pick<FeeBids, 'bid'>;
  /** How long the ledger may include the transaction. */
  readonly validForS?: number;
};

export type BuildTransaction = (request: BuildRequest) => Promise<Answer<BuiltTransaction>>;

const VALID_FOR_S = 60;

export const createTransactionBuilder = (options: BuildOptions): BuildTransaction => {
  const { ledger, signer, usdc, feeBids, validForS = VALID_FOR_S } = options;

  /** The source, and every wallet that the transaction creates: each has to sign its own trustline. */
  const signersOf = async ({ marketplaceId, wallet, actions }: BuildRequest): Promise<Wallet[]> => {
    const ids = actions.flatMap((action) => (action.type === 'activate' ? [action.walletId] : []));
    return ids.length === 0 ? [wallet] : [wallet, ...(await options.findWallets(marketplaceId, ids))];
  };

  return async (request) => {
    const { marketplaceId, wallet, actions } = request;
    const { address: source } = wallet;
    const [account, latest, bid] = await Promise.all([ledger.account(source), ledger.latestLedger(), feeBids.bid()]);
    if (account.kind !== 'yes') return asUnknown(account);
    if (latest.kind !== 'yes') return asUnknown(latest);
    if (bid.kind !== 'yes') return asUnknown(bid);
    const feePerOperation = bid.value;
    if (account.value === null) return no('The wallet has no account on the ledger yet.');
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
      wallets: await signersOf(request),
    });
    if (signed.kind === 'no') return signed;
    const { hash: id, envelopeXdr: envelope, validUntilMs } = signed.value;
    return yes({ id, sequence: String(sequence), envelope, validUntil: formatInstant(validUntilMs * 1_000) });
  };
};
