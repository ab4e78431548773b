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
import type { KnownNumbers } from './known-numbers.ts';
import { asUnknown, type Ledger, ledgerTime } from './ledger.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';

export type BuildRequest = {
  readonly marketplaceId: string;
  readonly wallet: Wallet;
  readonly actions: readonly LedgerAction[];
  /** The time of the ledger, where the caller has just read it. */
  readonly ledgerTimeMs?: number;
};

export type BuiltTransaction = Pick<LedgerTransaction, 'id' | 'sequence' | 'envelope' | 'validUntil'> & {
  /** Replaces the requested actions where only the signed transaction has all their fields. */
  readonly actions?: readonly LedgerAction[];
};

type BuildOptions = {
  readonly ledger: Ledger;
  readonly numbers: Pick<KnownNumbers, 'find'>;
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
  const { ledger, numbers, signer, usdc, feeBids, validForS = VALID_FOR_S } = options;

  /** The number that the wallet used last. Null: it has no account. */
  const lastNumber = async (address: string): Promise<Answer<bigint | null>> => {
    const known = numbers.find(address);
    if (known !== null) return yes(known);
    const account = await ledger.account(address);
    return account.kind === 'yes' ? yes(account.value?.sequence ?? null) : asUnknown(account);
  };

  /** The source, and every wallet that the transaction creates: each has to sign its own trustline. */
  const signersOf = async ({ marketplaceId, wallet, actions }: BuildRequest): Promise<Wallet[]> => {
    const ids = actions.flatMap((action) => (action.type === 'activate' ? [action.walletId] : []));
    return ids.length === 0 ? [wallet] : [wallet, ...(await options.findWallets(marketplaceId, ids))];
  };

  return async (request) => {
    const { marketplaceId, wallet, actions } = request;
    const { address: source } = wallet;
    const time = request.ledgerTimeMs === undefined ? ledgerTime(ledger) : yes(request.ledgerTimeMs);
    const [last, now, bid] = await Promise.all([lastNumber(source), time, feeBids.bid()]);
    if (last.kind !== 'yes') return last;
    if (now.kind !== 'yes') return now;
    if (bid.kind !== 'yes') return asUnknown(bid);
    const feePerOperation = bid.value;
    if (last.value === null) return no('The wallet has no account on the ledger yet.');
    const ledgerTimeMs = now.value;
    const validUntilS = Math.floor(ledgerTimeMs / 1_000) + validForS;
    const sequence = last.value + 1n;
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
