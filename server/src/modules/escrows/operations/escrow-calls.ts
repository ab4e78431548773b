// Makes the calls of escrow contracts, each in its signer's turn: the provider prepares the transaction, the signer compares it with
// the requested step, and the transaction sender records, submits and settles it.

import { type Answer, no, unknown, yes } from '../../../base/answer.ts';
import { formatInstant } from '../../../base/instant.ts';
import { type Amount, fromUnits, ZERO } from '../../../books/money.ts';
import { readTransaction, type TransactionFacts } from '../../../ledger/format/read-transaction.ts';
import type { CheckContract } from '../../../ledger/keys/check-contract.ts';
import type { DeployStep, Purpose } from '../../../ledger/keys/check-transaction.ts';
import type { Signer } from '../../../ledger/keys/signer.ts';
import type { Wallet } from '../../../ledger/keys/wallet.ts';
import type { BuiltTransaction } from '../../../ledger/transactions/build-transaction.ts';
import type { EscrowAction } from '../../../ledger/transactions/contract-moves.ts';
import type { FeeBids } from '../../../ledger/transactions/fee-bids.ts';
import { asUnknown, type LedgerMemory } from '../../../ledger/transactions/ledger.ts';
import type { TransactionOutcome } from '../../../ledger/transactions/outcome.ts';
import { isFeeRefusal } from '../../../ledger/transactions/submit-envelope.ts';
import type { TransactionSender } from '../../../ledger/transactions/transaction-sender.ts';
import type { EscrowProvider, EscrowStep } from '../../../providers/ports.ts';
import type { OperationContext } from '../../operations/operation-context.ts';
import { assertCallable, type FindCallRows } from '../call-rows.ts';
import { deployedContract, type Escrow, isCalled } from '../escrow.ts';
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
  readonly sender: Pick<TransactionSender, 'send' | 'voidRejected'>;
  /** Null: none is configured, so every call stays unknown. */
  readonly escrow: Pick<EscrowProvider, 'forMarketplace'> | null;
  readonly signer: Signer;
  readonly memory: LedgerMemory;
  readonly findCallRows: FindCallRows;
  readonly checkContract: CheckContract;
  readonly feeBids: Pick<FeeBids, 'bid' | 'urgent' | 'state'>;
};

export type EscrowCalls = {
  send(request: EscrowCallRequest): Promise<TransactionOutcome>;
  readonly voidRejected: TransactionSender['voidRejected'];
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

/**
 * The contract that money is about to be paid into: the one that our own deployment made, with the pinned code. Read again for every
 * funding, because a contract can replace its code.
 */
const checkTarget = async (options: EscrowCallOptions, request: EscrowCallRequest): Promise<Answer<null>> => {
  const { marketplaceId, step, action } = request;
  if (step.kind !== 'fund') return yes(null);
  const rows = await options.findCallRows({ marketplaceId, ...action });
  if (rows && deployedContract(rows.escrow) !== step.contractId) {
    return no('The contract of the escrow is not the one that was deployed for this order.');
  }
  return options.checkContract(step);
};

/** What the provider has prepared. Nothing of it is checked yet. */
type Prepared = { readonly envelopeXdr: string; readonly facts: TransactionFacts | null };

/** What the envelope bids for its inclusion; what its resources cost is not part of it. */
const bidOf = ({ facts }: Prepared): bigint => (facts ? facts.fee - facts.resourceFee : 0n);

/**
 * The envelope that the provider prepares. The provider bids what the network asks for, and a provider may always bid more than is
 * needed. While the network asks for more than our limit, the outcome is unknown, and the operation waits.
 */
const prepareWithin = async (
  { escrow, feeBids }: EscrowCallOptions,
  { marketplaceId, step }: EscrowCallRequest,
): Promise<Answer<Prepared>> => {
  if (escrow === null) return unknown(NO_PROVIDER, { code: 'misconfigured', untouched: true });
  const usual = await feeBids.bid();
  if (usual.kind !== 'yes') return asUnknown(usual);
  const prepared = await escrow.forMarketplace(marketplaceId).prepare(step);
  if (prepared.kind !== 'yes') return prepared;
  const envelopeXdr = prepared.value.unsignedTransaction;
  const envelope = { envelopeXdr, facts: readTransaction(envelopeXdr)?.facts ?? null };
  // The fees that were read last may be those of the ledger before.
  const current = bidOf(envelope) > feeBids.state().limit ? await feeBids.urgent() : usual;
  return current.kind === 'yes' ? yes(envelope) : asUnknown(current);
};

export const createEscrowCalls = (options: EscrowCallOptions): EscrowCalls => {
  const { sender, signer, memory } = options;

  /** Whether the ledger would accept the number as the next one of the account. A remembered number needs no read. */
  const isUnused = async (address: string, sequence: bigint): Promise<Answer<boolean>> => {
    if (memory.numbers.find(address) === sequence - 1n) return yes(true);
    const account = await memory.ledger.account(address);
    return account.kind === 'yes' ? yes(sequence > (account.value?.sequence ?? 0n)) : asUnknown(account);
  };

  const sign = async (request: EscrowCallRequest, prepared: Prepared): Promise<Answer<BuiltTransaction>> => {
    const { envelopeXdr, facts } = prepared;
    const { marketplaceId, wallet, action } = request;
    const { address: source } = wallet;
    const untilS = facts?.bounds?.until ?? 0n;
    const [unused, time, target] = await Promise.all([
      isUnused(source, facts?.sequence ?? 0n),
      memory.timeFor({ untilS, validMaxMs: VALID_MAX_MS }),
      checkTarget(options, request),
    ]);
    if (target.kind !== 'yes') return target;
    if (unused.kind !== 'yes') return unused;
    if (time.kind !== 'yes') return time;
    const signed = await signer.sign({
      marketplaceId,
      envelopeXdr,
      expectation: {
        networkPassphrase: memory.ledger.passphrase,
        source,
        feeMax: FEE_MAX,
        ledgerTimeMs: time.value,
        validMaxMs: VALID_MAX_MS,
        purpose: purposeOf(request),
      },
      wallets: [wallet],
    });
    if (signed.kind === 'no') return signed;
    const { hash: id, sequence, envelopeXdr: envelope, validUntilMs, contractId } = signed.value;
    // The ledger would not include it, and the wallet would wait until it expires.
    if (!unused.value) {
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
    const prepared = await prepareWithin(options, request);
    const built = prepared.kind === 'yes' ? await sign(request, prepared.value) : prepared;
    if (built.kind !== 'no') return built;
    const { operationId, escrowId } = request.action;
    const rows = await options.findCallRows({ marketplaceId: request.marketplaceId, operationId, escrowId });
    if (rows) assertCallable(rows, request.action);
    return built;
  };

  return {
    voidRejected: sender.voidRejected,
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

/**
 * A no ends the operation. An envelope that was refused before, for its fee or another reason, may still be accepted until it expires, so
 * its number is used up first. Yes: no envelope of the wallet can be accepted any more.
 */
const voidRejected = async (
  { calls }: EscrowParts,
  place: { readonly marketplaceId: string; readonly wallet: Wallet },
): Promise<Answer<null>> => {
  const voided = await calls.voidRejected(place);
  if (voided === null || voided.kind === 'yes') return yes(null);
  return unknown(`A refused envelope may still be accepted: ${voided.reason}`, { code: 'unclear' });
};

/** Funds the signer's wallet from the treasury: its network fees, and the amount that it will pay. */
export const fundSigner = async (
  parts: EscrowParts,
  { current, signer, amount }: Pick<CallRequest, 'current' | 'signer'> & { readonly amount: Amount },
): Promise<Answer<null>> => {
  const { marketplaceId, operation, view } = current;
  const { walletId } = view.escrow[signer];
  // A wallet that only pays fees pays them in the native asset, whatever the currency of the order.
  const currency = amount === ZERO ? 'XLM' : view.order.currency;
  const funded = await parts.fundWallet({ marketplaceId, walletId, currency, amount, reference: operation.id });
  const wallet = funded.kind === 'no' ? await parts.findWallet(marketplaceId, walletId) : null;
  const voided = wallet && (await voidRejected(parts, { marketplaceId, wallet }));
  return voided?.kind === 'unknown' ? voided : funded;
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
    // The provider bids anew for the next envelope, which has the same sequence number: at most one of them can be included.
    if (sent.kind === 'no' && sent.why === 'rejected' && isFeeRefusal(sent.code)) continue;
    if (sent.kind === 'no' && sent.why !== 'superseded') {
      const voided = await voidRejected(parts, { marketplaceId, wallet });
      if (voided.kind !== 'yes') return voided;
    }
    const escrow = await reload(parts, current);
    const isDone = escrow?.id === view.escrow.id && isCalled(escrow, action);
    if (sent.kind === 'no' && sent.why !== 'superseded' && !isDone) return no(sent.reason, { code: sent.code });
    if (!isDone) return unknown('Another worker holds the operation.', { code: 'in-progress' });
    return yes({ escrow, contractId: sent.kind === 'yes' ? sent.contractId : undefined });
  }
  return unknown('The ledger accepted none of the envelopes in time.', { code: 'lagging' });
};
