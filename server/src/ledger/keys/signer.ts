// Signs with custodial wallets, after comparing the whole transaction with the expectation: a provider that prepares transactions is not
// trusted. A secret is open only while it signs and never leaves this file.

import { type No, no, type Yes, yes } from '../../base/answer.ts';
import { parseAddress } from '../../base/ledger-address.ts';
import type { Amount } from '../../books/money.ts';
import type { LedgerAsset } from '../../providers/ports.ts';
import { readFeeBump } from '../format/fee-bump.ts';
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
export type Signer = {
  sign(request: SignRequest): Promise<Yes<Signed> | No>;
  /** Signs a fee bump as the account that pays the fee. The inner envelope must be the stored one, byte for byte. */
  signBump(request: BumpRequest): Promise<Yes<SignedBump> | No>;
};

type BumpRequest = {
  readonly marketplaceId: string;
  readonly envelopeXdr: string;
  /** The signed envelope that is bumped. */
  readonly inner: string;
  /** The wallet that pays the fee. */
  readonly wallet: SigningWallet;
  readonly feeMax: Amount;
};

type Signature = { readonly publicKey: Uint8Array; readonly signature: Buffer };

type SignedBump = { readonly envelopeXdr: string; readonly hash: string };

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
    signBump: createSignBump({ networkPassphrase, signWith }),
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

/** A sentence about the first difference, or null. */
const checkBump = (bump: ReturnType<typeof readFeeBump>, { inner, wallet, feeMax }: BumpRequest): string | null => {
  if (!bump) return 'it is not a fee bump that can be read';
  if (bump.envelope !== inner) return 'it contains another transaction than the one to bump';
  if (bump.payer !== wallet.address) return `its fee is paid by ${bump.payer}, not ${wallet.address}`;
  if (bump.fee > feeMax) return `its fee may be ${bump.fee}, more than ${feeMax}`;
  if (bump.signatures > 0) return 'it is signed already';
  return wallet.sealedSecret === null ? `the key of ${wallet.address} is not stored here` : null;
};

type SignHash = (wallet: SigningWallet, of: { marketplaceId: string; hash: Buffer }) => Promise<Signature>;

const createSignBump =
  ({ networkPassphrase, signWith }: { networkPassphrase: string; signWith: SignHash }): Signer['signBump'] =>
  async (request) => {
    const { marketplaceId, wallet } = request;
    const bump = readFeeBump(request.envelopeXdr);
    const difference = checkBump(bump, request);
    if (difference !== null || bump === null) return refused(difference ?? 'it cannot be read');
    const hash = bump.hash(networkPassphrase);
    const signature = await signWith(wallet, { marketplaceId, hash });
    return yes({ envelopeXdr: bump.withSignature(signature), hash: hash.toString('hex') });
  };

const refused = (difference: string): No => no(`The transaction was not signed: ${difference}.`);

const actsIn = ({ source, operations }: TransactionFacts, address: string): boolean =>
  source === address || operations.some((operation) => operation.source === address);
