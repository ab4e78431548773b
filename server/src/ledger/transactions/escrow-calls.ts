// Makes the calls of escrow contracts, each in its signer's turn: prepared by the provider, compared with what was asked,
// signed, kept, sent, and settled by what the ledger says. Whether a call may still be made is decided when it is kept.

import { formatInstant } from '../../base/instant.ts';
import { fromUnits } from '../../books/money.ts';
import { barOf } from '../../modules/escrows/call-rows.ts';
import type { EscrowAction } from '../../modules/escrows/escrow-payments.ts';
import type { EscrowProvider, EscrowStep } from '../../providers/ports.ts';
import type { DeployStep, Purpose } from '../keys/expectation.ts';
import type { Signer } from '../keys/signer.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { Drawn } from './build-transaction.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerTransactionReads } from './queries.ts';
import type { Sent } from './send-request.ts';
import type { TransactionSender } from './transaction-sender.ts';

export type EscrowCallRequest = {
  readonly marketplaceId: string;
  /** The one that signs the step. */
  readonly wallet: Wallet;
  readonly step: EscrowStep;
  /** Of a funding: what the contract was deployed with. */
  readonly terms?: DeployStep;
  readonly action: EscrowAction;
};

export type EscrowCallOptions = {
  readonly sender: Pick<TransactionSender, 'send'>;
  /** Null: there is none, so that nothing can be known. */
  readonly escrow: Pick<EscrowProvider, 'prepare'> | null;
  readonly signer: Signer;
  readonly ledger: Pick<Ledger, 'passphrase' | 'account' | 'latestLedger'>;
  readonly transactions: Pick<LedgerTransactionReads, 'standing'>;
};

export type EscrowCalls = ReturnType<typeof createEscrowCalls>;

/** A contract's resources are paid for too, and bid for with room to spare: ten of the native asset. */
const FEE_MAX = fromUnits(100_000_000n);
const VALID_MAX_MS = 600_000;
const ABSENT = 'No escrow provider is configured: set ESCROW_PROVIDER_URL, or leave SANDBOX on.';

const purposeOf = ({ step, terms }: EscrowCallRequest): Purpose => {
  if (step.kind !== 'fund') return { kind: 'escrow', step };
  if (!terms) throw new Error('a funding names the terms that the contract was deployed with');
  return { kind: 'escrow', step, terms };
};

const unknown = (reason: string): Drawn => ({ kind: 'unknown', reason });

export const createEscrowCalls = (options: EscrowCallOptions) => {
  const { sender, escrow, signer, ledger, transactions } = options;

  const sign = async (ask: EscrowCallRequest, envelopeXdr: string): Promise<Drawn> => {
    const { marketplaceId, wallet, action } = ask;
    const { address: source } = wallet;
    const [account, latest] = await Promise.all([ledger.account(source), ledger.latestLedger()]);
    if (account.kind !== 'yes') return unknown(account.reason);
    if (latest.kind !== 'yes') return unknown(latest.reason);
    const signed = await signer.sign({
      marketplaceId,
      envelopeXdr,
      expectation: {
        networkPassphrase: ledger.passphrase,
        source,
        feeMax: FEE_MAX,
        ledgerTimeMs: Date.parse(latest.value.closedAt),
        validMaxMs: VALID_MAX_MS,
        purpose: purposeOf(ask),
      },
      wallets: [wallet],
    });
    if (signed.kind === 'refused') return { kind: 'no', reason: signed.reason };
    // Prepared for a moment that is over: the ledger would not take it, and the wallet would wait until its time is up.
    if (signed.sequence <= (account.value?.sequence ?? 0n)) {
      return unknown('The transaction was prepared with a sequence number that is used already.');
    }
    return {
      kind: 'yes',
      id: signed.hash,
      sequence: String(signed.sequence),
      envelope: signed.envelopeXdr,
      validUntil: formatInstant(signed.validUntilMs * 1_000),
      actions: [{ ...action, contractId: signed.contractId }],
    };
  };

  const draw = async (ask: EscrowCallRequest): Promise<Drawn> => {
    const prepared = await escrow?.prepare(ask.step);
    if (prepared === undefined) return unknown(ABSENT);
    if (prepared.kind === 'unknown') return unknown(prepared.reason);
    if (prepared.kind === 'no') return { kind: 'no', reason: prepared.reason, code: prepared.code };
    return sign(ask, prepared.value.unsignedTransaction);
  };

  /** A no may come from what another process has done of the same operation meanwhile; then that is the answer. */
  const drawOrTell = async (ask: EscrowCallRequest): Promise<Drawn> => {
    const drawn = await draw(ask);
    if (drawn.kind !== 'no') return drawn;
    const { operationId, escrowId } = ask.action;
    const standing = await transactions.standing({ marketplaceId: ask.marketplaceId, operationId, escrowId });
    const bar = standing && barOf(standing, ask.action);
    return bar ? { ...drawn, code: bar } : drawn;
  };

  return {
    /**
     * Uses up the wallet's next number with a transaction that changes nothing, so that an envelope which was refused, and
     * was drawn up for the same number, can never be taken any more.
     */
    consumeSequence: ({ marketplaceId, wallet }: Pick<EscrowCallRequest, 'marketplaceId' | 'wallet'>): Promise<Sent> =>
      sender.send({ marketplaceId, wallet, purpose: 'use-up', actions: [{ type: 'trust', walletId: wallet.id }] }),

    send(ask: EscrowCallRequest): Promise<Sent> {
      const { marketplaceId, wallet, action } = ask;
      const purpose = `escrow:${action.call}`;
      return sender.send({ marketplaceId, wallet, purpose, actions: [action], draw: () => drawOrTell(ask) });
    },
  };
};
