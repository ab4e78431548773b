// Makes the calls of escrow contracts, each in its signer's turn: the provider prepares the transaction, the signer compares it with
// the requested step, and the transaction sender records, submits and settles it.

import { type Answer, no, unknown, yes } from '../../../base/answer.ts';
import { formatInstant } from '../../../base/instant.ts';
import { fromUnits } from '../../../books/money.ts';
import type { DeployStep, Purpose } from '../../../ledger/keys/expectation.ts';
import type { Signer } from '../../../ledger/keys/signer.ts';
import type { Wallet } from '../../../ledger/keys/wallet.ts';
import type { BuiltTransaction } from '../../../ledger/transactions/build-transaction.ts';
import type { EscrowAction } from '../../../ledger/transactions/escrow-payments.ts';
import { asUnknown, type Ledger } from '../../../ledger/transactions/ledger.ts';
import type { TransactionOutcome } from '../../../ledger/transactions/outcome.ts';
import type { TransactionSender } from '../../../ledger/transactions/transaction-sender.ts';
import type { EscrowProvider, EscrowStep } from '../../../providers/ports.ts';
import { assertCallable } from '../call-rows.ts';
import type { FindCallRows } from '../queries.ts';

export type EscrowCallRequest = {
  readonly marketplaceId: string;
  /** The wallet that signs the step. */
  readonly wallet: Wallet;
  readonly step: EscrowStep;
  /** Of a funding: the step that the contract was deployed with. */
  readonly terms?: DeployStep;
  readonly action: EscrowAction;
};

export type EscrowCallOptions = {
  readonly sender: Pick<TransactionSender, 'send' | 'consumeSequence'>;
  /** Null: none is configured, so every call stays unknown. */
  readonly escrow: Pick<EscrowProvider, 'prepare'> | null;
  readonly signer: Signer;
  readonly ledger: Pick<Ledger, 'passphrase' | 'account' | 'latestLedger'>;
  readonly findCallRows: FindCallRows;
};

export type EscrowCalls = {
  send(request: EscrowCallRequest): Promise<TransactionOutcome>;
  readonly consumeSequence: TransactionSender['consumeSequence'];
};

/** A contract's resources are paid for too, so the bid is generous: ten of the native asset. */
const FEE_MAX = fromUnits(100_000_000n);
const VALID_MAX_MS = 600_000;
const NO_PROVIDER = 'No escrow provider is configured: set ESCROW_PROVIDER_URL, or leave SANDBOX on.';

const purposeOf = ({ step, terms }: EscrowCallRequest): Purpose => {
  if (step.kind !== 'fund') return { kind: 'escrow', step };
  if (!terms) throw new Error('a funding names the terms that the contract was deployed with');
  return { kind: 'escrow', step, terms };
};

export const createEscrowCalls = (options: EscrowCallOptions): EscrowCalls => {
  const { sender, escrow, signer, ledger } = options;

  const sign = async (request: EscrowCallRequest, envelopeXdr: string): Promise<Answer<BuiltTransaction>> => {
    const { marketplaceId, wallet, action } = request;
    const { address: source } = wallet;
    const [account, latest] = await Promise.all([ledger.account(source), ledger.latestLedger()]);
    if (account.kind !== 'yes') return asUnknown(account);
    if (latest.kind !== 'yes') return asUnknown(latest);
    const signed = await signer.sign({
      marketplaceId,
      envelopeXdr,
      expectation: {
        networkPassphrase: ledger.passphrase,
        source,
        feeMax: FEE_MAX,
        ledgerTimeMs: Date.parse(latest.value.closedAt),
        validMaxMs: VALID_MAX_MS,
        purpose: purposeOf(request),
      },
      wallets: [wallet],
    });
    if (signed.kind === 'refused') return no(signed.reason);
    // The ledger would not include it, and the wallet would wait until it expires.
    if (signed.sequence <= (account.value?.sequence ?? 0n)) {
      return unknown('stale', 'The transaction was prepared with a sequence number that is used already.');
    }
    return yes({
      id: signed.hash,
      sequence: String(signed.sequence),
      envelope: signed.envelopeXdr,
      validUntil: formatInstant(signed.validUntilMs * 1_000),
      actions: [{ ...action, contractId: signed.contractId }],
    });
  };

  /** A no may come from what another process did for the same operation: then ActionRefused is thrown instead. */
  const build = async (request: EscrowCallRequest): Promise<Answer<BuiltTransaction>> => {
    const prepared = await escrow?.prepare(request.step);
    if (prepared === undefined) return unknown('misconfigured', NO_PROVIDER, { untouched: true });
    const built = prepared.kind === 'yes' ? await sign(request, prepared.value.unsignedTransaction) : prepared;
    if (built.kind !== 'no') return built;
    const { operationId, escrowId } = request.action;
    const rows = await options.findCallRows({ marketplaceId: request.marketplaceId, operationId, escrowId });
    if (rows) assertCallable(rows, request.action);
    return built;
  };

  return {
    consumeSequence: sender.consumeSequence,
    send(request) {
      const { marketplaceId, wallet, action } = request;
      const purpose = `escrow:${action.call}`;
      return sender.send({ marketplaceId, wallet, purpose, actions: [action], build: () => build(request) });
    },
  };
};
