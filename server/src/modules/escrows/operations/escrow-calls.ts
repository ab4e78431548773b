// Makes the calls of escrow contracts, each in its signer's turn: the provider prepares the transaction, the signer compares it with
// the requested step, and the transaction sender records, submits and settles it.

import { type Answer, no, unknown, yes } from '../../../base/answer.ts';
import { formatInstant } from '../../../base/instant.ts';
import { type Amount, fromUnits, ZERO } from '../../../books/money.ts';
import type { DeployStep, Purpose } from '../../../ledger/keys/check-transaction.ts';
import type { Signer } from '../../../ledger/keys/signer.ts';
import type { Wallet } from '../../../ledger/keys/wallet.ts';
import type { BuiltTransaction } from '../../../ledger/transactions/build-transaction.ts';
import type { EscrowAction } from '../../../ledger/transactions/contract-moves.ts';
import { asUnknown, type Ledger } from '../../../ledger/transactions/ledger.ts';
import type { TransactionOutcome } from '../../../ledger/transactions/outcome.ts';
import type { TransactionSender } from '../../../ledger/transactions/transaction-sender.ts';
import type { EscrowProvider, EscrowStep } from '../../../providers/ports.ts';
import type { OperationContext } from '../../operations/operation-context.ts';
import { assertCallable, type FindCallRows } from '../call-rows.ts';
import { type Escrow, isCalled } from '../escrow.ts';
import type { EscrowParts } from './handlers.ts';

type EscrowCallRequest = {
  readonly marketplaceId: string;
  /** The wallet that signs the step. */
  readonly wallet: Wallet;
  readonly step: EscrowStep;
  /** Of a funding: the step that the contract was deployed with. */
  readonly terms?: DeployStep;
  readonly action: EscrowAction;
};

type EscrowCallOptions = {
  readonly sender: Pick<TransactionSender, 'send' | 'consumeSequence'>;
  /** Null: none is configured, so every call stays unknown. */
  readonly escrow: Pick<EscrowProvider, 'forMarketplace'> | null;
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
    if (signed.kind === 'no') return signed;
    const { hash: id, sequence, envelopeXdr: envelope, validUntilMs, contractId } = signed.value;
    // The ledger would not include it, and the wallet would wait until it expires.
    if (sequence <= (account.value?.sequence ?? 0n)) {
      return unknown('The transaction was prepared with a sequence number that is used already.', { code: 'stale' });
    }
    return yes({
      id,
      sequence: String(sequence),
      envelope,
      validUntil: formatInstant(validUntilMs * 1_000),
      actions: [{ ...action, contractId }],
    });
  };

  /** A no may come from what another process did for the same operation: then ActionRefused is thrown instead. */
  const build = async (request: EscrowCallRequest): Promise<Answer<BuiltTransaction>> => {
    const prepared = await escrow?.forMarketplace(request.marketplaceId).prepare(request.step);
    if (prepared === undefined) return unknown(NO_PROVIDER, { code: 'misconfigured', untouched: true });
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

type CallRequest = {
  readonly current: OperationContext;
  /** The party whose wallet signs. */
  readonly signer: keyof Pick<Escrow, 'buyer' | 'seller' | 'platform'>;
  readonly step: EscrowStep;
  readonly terms?: DeployStep;
  readonly action: EscrowAction;
};

type SentCall = {
  readonly escrow: Escrow;
  /** As the provider's answer named the contract. Null: it named none. Undefined: there was no answer. */
  readonly contractId: string | null | undefined;
};

/** How many envelopes of one call may expire before the operation waits. */
const ENVELOPES_MAX = 3;

const reload = async ({ findOrder }: EscrowParts, { marketplaceId, view }: OperationContext): Promise<Escrow | null> =>
  (await findOrder(marketplaceId, view.order.id))?.escrow ?? null;

/** Funds the signer's wallet from the treasury: its network fees, and the amount that it will pay. */
export const fundSigner = (
  parts: EscrowParts,
  { current, signer, amount }: Pick<CallRequest, 'current' | 'signer'> & { readonly amount: Amount },
): Promise<Answer<null>> => {
  const { marketplaceId, operation, view } = current;
  const { walletId } = view.escrow[signer];
  // A wallet that only pays fees pays them in the native asset, whatever the currency of the order.
  const currency = amount === ZERO ? 'XLM' : view.order.currency;
  return parts.fundWallet({ marketplaceId, walletId, currency, amount, reference: operation.id });
};

/**
 * Sends one call of an escrow contract. Yes: the call is on the ledger. No: it was certainly refused. Unknown: neither is certain yet. An
 * envelope that expired is built again, because it can no longer be included in a ledger.
 */
export const sendCall = async (parts: EscrowParts, request: CallRequest): Promise<Answer<SentCall>> => {
  const { current, signer, step, action, terms } = request;
  const { marketplaceId, view } = current;
  const wallet = await parts.findWallet(marketplaceId, view.escrow[signer].walletId);
  if (!wallet) return no(`The wallet of the ${signer} does not exist.`);

  for (let envelope = 0; envelope < ENVELOPES_MAX; envelope++) {
    const sent = await parts.calls.send({ marketplaceId, wallet, step, action, ...(terms ? { terms } : {}) });
    if (sent.kind === 'unknown') return unknown(sent.reason, { code: 'unclear' });
    if (sent.kind === 'no' && sent.why === 'expired') continue;
    if (sent.kind === 'no' && sent.why === 'rejected') {
      const voided = await parts.calls.consumeSequence({ marketplaceId, wallet });
      if (voided.kind !== 'yes') {
        return unknown(`A refused envelope may still be accepted: ${voided.reason}`, { code: 'unclear' });
      }
    }
    const escrow = await reload(parts, current);
    const isDone = escrow?.id === view.escrow.id && isCalled(escrow, action);
    if (sent.kind === 'no' && sent.why !== 'superseded' && !isDone) return no(sent.reason, { code: sent.code });
    if (!isDone) return unknown('Another worker holds the operation.', { code: 'in-progress' });
    return yes({ escrow, contractId: sent.kind === 'yes' ? sent.contractId : undefined });
  }
  return unknown('The ledger accepted none of the envelopes in time.', { code: 'lagging' });
};
