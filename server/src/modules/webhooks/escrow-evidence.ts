// Checks an event with the ledger and the escrow provider. The result is null when they confirm it, otherwise the reason why it cannot
// be applied. An unknown answer is such a reason too.

import { sumOf } from '../../books/money.ts';
import { assetOf } from '../../ledger/keys/wallet.ts';
import type { LedgerAction, LedgerTransaction } from '../../ledger/transactions/ledger-transaction.ts';
import type { EscrowProvider, EscrowRecord, LedgerAsset, LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';
import { deployedContract } from '../escrows/escrow.ts';
import type { WithEscrow } from '../orders/order.ts';
import { type EscrowClaim, isResolved, isShown } from './escrow-claims.ts';

/** The outside systems that an event is checked with. */
export type OutsideSystems = {
  /** Null: no escrow provider is configured. */
  readonly escrow: Pick<EscrowProvider, 'findByContract' | 'findByEngagement'> | null;
  readonly network: Pick<LedgerNetwork, 'transaction' | 'paymentsOf' | 'verifyTransactionConcerns'>;
};

export type EvidenceParts = {
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
  /** A transaction that we signed ourselves. */
  findTransaction(marketplaceId: string, hash: string): Promise<LedgerTransaction | null>;
};

type EventSubject = {
  readonly marketplaceId: string;
  readonly view: WithEscrow;
  readonly claim: EscrowClaim;
};

type FailureReason = string | null;

const NATIVE: LedgerAsset = { code: 'XLM', issuer: null };

const isSame = (a: LedgerAsset, b: LedgerAsset): boolean =>
  a.issuer === b.issuer && (a.issuer === null || a.code === b.code);

/** The stored transaction deploys the order's contract, at the address that the event names. */
const isOwnDeployment = (own: LedgerTransaction | null, { view, claim }: EventSubject): boolean => {
  const deploys = (action: LedgerAction): boolean =>
    action.type === 'escrow' &&
    action.call === 'deploy' &&
    action.orderId === view.order.id &&
    action.contractId === claim.contractId;
  return own?.actions.some(deploys) === true;
};

/** The payout must be the whole contract or one milestone, and go to the side that the event names. */
const checkPayout = ({ view, claim }: EventSubject, payments: readonly LedgerPayment[]): FailureReason => {
  const { escrow, milestones } = view;
  const total = sumOf(payments.map(({ amount }) => amount));
  const isMulti = escrow.contractType === 'multi-release';
  // A resolution also pays out money that others paid into the contract.
  const isWhole = isMulti ? milestones.some(({ amount }) => amount === total) : total >= escrow.amount;
  if (!isWhole) return 'The transaction moves another amount.';
  const isPaid = ({ address }: { address: string }): boolean => payments.some(({ to }) => to === address);
  const isRelease = claim.type === 'escrow.released';
  const to = isRelease ? escrow.seller : escrow.buyer;
  const other = isRelease ? escrow.buyer : escrow.seller;
  return isPaid(to) && !isPaid(other) ? null : 'The transaction pays another party.';
};

export const createEvidence = (parts: EvidenceParts & OutsideSystems) => {
  const { escrow: provider, network } = parts;

  const findRecord = async ({ view: { order, escrow }, claim }: EventSubject): Promise<EscrowRecord | string> => {
    if (!provider) return 'No escrow provider is set.';
    const contractId = escrow.providerContractId ?? claim.contractId ?? '';
    const found =
      claim.type === 'escrow.created'
        ? await provider.findByEngagement({ signer: escrow.buyer.address, engagementId: order.id })
        : await provider.findByContract([contractId]);
    if (found.kind !== 'yes') return `The escrow provider could not be read: ${found.reason}`;
    return found.value.find((each) => each.contractId === contractId) ?? 'The escrow provider knows no such contract.';
  };

  /** Whether the provider's record shows the event. */
  const checkProvider = async (subject: EventSubject): Promise<FailureReason> => {
    const { view, claim } = subject;
    const record = await findRecord(subject);
    if (typeof record === 'string') return record;
    if (isShown(record, { ...view, ...claim })) return null;
    // The transaction was checked before: it paid everything to the buyer.
    const isProven = claim.type === 'escrow.refunded' && claim.transactionHash !== null && isResolved(record);
    if (isProven && record.type === 'single-release') return null;
    return 'The escrow provider does not show it.';
  };

  const assetOfOrder = ({ order }: WithEscrow): LedgerAsset =>
    assetOf(order.currency) === 'XLM' ? NATIVE : parts.usdc;

  /**
   * Only the contract that our own deployment made is accepted: a signature proves the sender, and money would be paid into the contract.
   * The ledger names the factory and not the new contract, so the transaction that we signed is read.
   */
  const checkDeployment = async (subject: EventSubject): Promise<FailureReason> => {
    const { view, claim, marketplaceId } = subject;
    // Compared with the event before.
    if (claim.transactionHash === null && deployedContract(view.escrow) !== null) return null;
    const hash = claim.transactionHash ?? view.escrow.transactionId;
    if (hash === null) return 'The order has not deployed a contract.';
    const own = await parts.findTransaction(marketplaceId, hash);
    if (!isOwnDeployment(own, subject)) return 'The transaction concerns another contract.';
    const found = await network.transaction(hash);
    if (found.kind !== 'yes') return found.reason;
    return found.value.state === 'succeeded' ? null : 'The ledger has no such transaction that succeeded.';
  };

  const checkPayments = async (subject: EventSubject, hash: string): Promise<FailureReason> => {
    const paid = await network.paymentsOf(hash);
    if (paid.kind !== 'yes') return paid.reason;
    const contract = subject.view.escrow.providerContractId;
    const asset = assetOfOrder(subject.view);
    const own = paid.value.filter((each) => each.from === contract && each.successful && isSame(each.asset, asset));
    return checkPayout(subject, own);
  };

  /**
   * Whether the ledger has the event's transaction with the reported effect. Null also when the event names no transaction, except for a
   * new contract, which always needs the transaction that deployed it.
   */
  const checkTransaction = async (subject: EventSubject): Promise<FailureReason> => {
    const { view, claim } = subject;
    if (claim.type === 'escrow.created') return checkDeployment(subject);
    const hash = claim.transactionHash;
    if (hash === null) return null;
    const isFunding = claim.type === 'escrow.funded' || claim.type === 'escrow.funding_started';
    const concerns = await network.verifyTransactionConcerns({
      hash,
      contract: view.escrow.providerContractId ?? '',
      asset: assetOfOrder(view),
      ...(isFunding ? { amount: view.escrow.amount } : {}),
    });
    if (concerns.kind !== 'yes') return concerns.reason;
    const isPayout = claim.type === 'escrow.released' || claim.type === 'escrow.refunded';
    return isPayout ? checkPayments(subject, hash) : null;
  };

  return { checkTransaction, checkProvider };
};

export type Evidence = ReturnType<typeof createEvidence>;
