// Signs with custodial wallets, after comparing the whole transaction with the expectation: a provider that prepares transactions is not
// trusted. A secret is open only while it signs and never leaves this file.

import { type No, no, type Yes, yes } from '../../base/answer.ts';
import { parseAddress } from '../../base/ledger-address.ts';
import type { LedgerAsset } from '../../providers/ports.ts';
import { readTransaction, type TransactionFacts } from '../format/read-transaction.ts';
import { checkEscrow, type EscrowFactories } from './check-escrow.ts';
import { type AssetNames, checkActions, checkFrame, type Expectation } from './check-transaction.ts';
import type { KeyKeeper } from './key-keeper.ts';
import { openSecret } from './seal.ts';
import type { Wallet } from './wallet.ts';
import { signAndWipe } from './wallet-keys.ts';

type SigningWallet = Pick<Wallet, 'id' | 'address' | 'sealedSecret'>;

type SignRequest = {
  readonly marketplaceId: string;
  readonly envelopeXdr: string;
  readonly expectation: Expectation;
  /** The wallets that have to sign; at most twenty signatures fit on one transaction. */
  readonly wallets: readonly SigningWallet[];
};

export type Signed = {
  readonly envelopeXdr: string;
  /** The transaction's hash on the ledger, as hex. */
  readonly hash: string;
  readonly sequence: bigint;
  /** After this time no ledger can include it. */
  readonly validUntilMs: number;
  /** The escrow contract that it calls or deploys. */
  readonly contractId: string | null;
};

/** No: the transaction differs from the expectation, or a wallet cannot sign it. */
export type Signer = { sign(request: SignRequest): Promise<Yes<Signed> | No> };

type Options = {
  readonly keeper: KeyKeeper;
  readonly networkPassphrase: string;
  /** The asset that backs our dollars on the ledger. */
  readonly asset: LedgerAsset;
  readonly factories?: EscrowFactories;
  readonly log: { warn(fields: object, message: string): void };
};

const SIGNATURES_MAX = 20;

export const createSigner = (options: Options): Signer => {
  const { keeper, networkPassphrase, factories = {}, log } = options;
  const assets: AssetNames = { USDC: `${options.asset.code}:${options.asset.issuer}`, XLM: 'native' };

  /** The escrow contract, if there is one, or why the transaction must not be signed. */
  const check = (
    facts: TransactionFacts,
    expected: Expectation,
  ): { difference: string } | { contractId: string | null } => {
    const inFrame = checkFrame(facts, expected);
    if (inFrame) return { difference: inFrame };
    const { purpose, source } = expected;
    if (purpose.kind === 'escrow') {
      const verdict = checkEscrow(facts.operations, { purpose, source, networkPassphrase, factories });
      return verdict.difference === null ? { contractId: verdict.contractId } : { difference: verdict.difference };
    }
    const difference = checkActions(facts.operations, { actions: purpose.actions, source, assets });
    return difference ? { difference } : { contractId: null };
  };

  const signWith = async (wallet: SigningWallet, { marketplaceId, hash }: { marketplaceId: string; hash: Buffer }) => {
    const place = { marketplaceId, walletId: wallet.id, address: wallet.address };
    const seed = await openSecret(keeper, { sealed: wallet.sealedSecret!, place });
    return { publicKey: parseAddress(wallet.address)!, signature: signAndWipe(seed, hash) };
  };

  const attempt = async ({
    marketplaceId,
    envelopeXdr,
    expectation,
    wallets,
  }: SignRequest): Promise<Yes<Signed> | No> => {
    if (expectation.networkPassphrase !== networkPassphrase) {
      return refused(`it is for the network "${expectation.networkPassphrase}", not "${networkPassphrase}"`);
    }
    const transaction = readTransaction(envelopeXdr);
    if (!transaction) return refused('it is not a transaction that can be read');
    const { facts } = transaction;
    const verdict = check(facts, expectation);
    if ('difference' in verdict) return refused(verdict.difference);
    const stranger = wallets.find((wallet) => !actsIn(facts, wallet.address));
    if (stranger) return refused(`${stranger.address} has nothing to sign in it`);
    const unheld = wallets.find((wallet) => wallet.sealedSecret === null);
    if (unheld) return refused(`the key of ${unheld.address} is not stored here`);
    if (wallets.length > SIGNATURES_MAX) {
      return refused(`it needs ${wallets.length} signatures, and ${SIGNATURES_MAX} fit on one transaction`);
    }

    const hash = transaction.hash(networkPassphrase);
    const signatures = [];
    for (const wallet of wallets) signatures.push(await signWith(wallet, { marketplaceId, hash }));
    return yes({
      envelopeXdr: transaction.withSignatures(signatures),
      hash: hash.toString('hex'),
      sequence: facts.sequence,
      validUntilMs: Number(facts.bounds!.until) * 1_000,
      contractId: verdict.contractId,
    });
  };

  return {
    async sign(request) {
      const answer = await attempt(request);
      if (answer.kind === 'no') {
        const { purpose, source } = request.expectation;
        const asked =
          purpose.kind === 'escrow' ? purpose.step.kind : purpose.actions.map(({ type }) => type).join(', ');
        const { marketplaceId } = request;
        log.warn({ marketplaceId, source, asked, reason: answer.reason }, 'a transaction was not signed');
      }
      return answer;
    },
  };
};

const refused = (difference: string): No => no(`The transaction was not signed: ${difference}.`);

const actsIn = ({ source, operations }: TransactionFacts, address: string): boolean =>
  source === address || operations.some((operation) => operation.source === address);
