// Checks an event with the ledger and the escrow provider: yes when they confirm it, no when they contradict it, unknown when one of
// them cannot be asked or does not show it yet.

import { type Answer, no, unknown, yes } from '../../base/answer.ts';
import { sumOf } from '../../books/money.ts';
import { assetOf } from '../../ledger/keys/wallet.ts';
import { asUnknown } from '../../ledger/transactions/ledger.ts';
import type { LedgerAction, LedgerTransaction } from '../../ledger/transactions/ledger-transaction.ts';
import type { EscrowProvider, EscrowRecord, LedgerAsset, LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';
import { deployedContract } from '../escrows/escrow.ts';
import type { WithEscrow } from '../orders/order.ts';
import { type EscrowClaim, isResolved, isShown } from './escrow-claims.ts';

/** The outside systems that an event is checked with. */
export type OutsideSystems = {
  /** Null: no escrow provider is configured. */
  readonly escrow: Pick<EscrowProvider, 'findByContract' | 'findByEngagement'> | null;
  readonly network: Pick<LedgerNetwork, 'transaction' | 'payments' | 'paymentsOf' | 'verifyTransactionConcerns'>;
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

type Check = Answer<null>;

const CONFIRMED: Check = yes(null);

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

/** A transaction that the ledger does not have may still come: the ledger's records lag behind. */
const notThereYet = (reason: string): Check => unknown(reason, { code: 'lagging' });

type Payout = { readonly payments: readonly LedgerPayment[]; readonly isWhole: boolean };

/** The payments must go to the side that the event names, and to that side only. */
const checkPayout = ({ view: { escrow }, claim }: EventSubject, { payments, isWhole }: Payout): Check => {
  if (!isWhole) return no('The transaction moves another amount.');
  const isPaid = ({ address }: { address: string }): boolean => payments.some(({ to }) => to === address);
  const isRelease = claim.type === 'escrow.released';
  const to = isRelease ? escrow.seller : escrow.buyer;
  const other = isRelease ? escrow.buyer : escrow.seller;
  return isPaid(to) && !isPaid(other) ? CONFIRMED : no('The transaction pays another party.');
};

const totalOf = (payments: readonly LedgerPayment[]) => sumOf(payments.map(({ amount }) => amount));

const isPayout = ({ type }: EscrowClaim): boolean => type === 'escrow.released' || type === 'escrow.refunded';

const createFindRecord =
  ({ escrow: provider }: OutsideSystems) =>
  async ({ view: { order, escrow }, claim }: EventSubject): Promise<Answer<EscrowRecord>> => {
    if (!provider) return unknown('No escrow provider is set.', { code: 'misconfigured' });
    const contractId = escrow.providerContractId ?? claim.contractId ?? '';
    const found =
      claim.type === 'escrow.created'
        ? await provider.findByEngagement({ signer: escrow.buyer.address, engagementId: order.id })
        : await provider.findByContract([contractId]);
    if (found.kind !== 'yes') {
      return unknown(`The escrow provider could not be read: ${found.reason}`, { code: 'unclear' });
    }
    const record = found.value.find((each) => each.contractId === contractId);
    return record ? yes(record) : no('The escrow provider knows no such contract.');
  };

type FindRecord = ReturnType<typeof createFindRecord>;

/** Whether the provider's record shows the event. `isPaid`: the ledger was checked and shows who was paid. */
const checkOfProvider =
  (findRecord: FindRecord) =>
  async (subject: EventSubject, { isPaid }: { isPaid: boolean }): Promise<Check> => {
    const { view, claim } = subject;
    const found = await findRecord(subject);
    if (found.kind !== 'yes') return found;
    const record = found.value;
    if (isShown(record, { ...view, ...claim })) return CONFIRMED;
    // A resolution does not say who was paid; the ledger does.
    const isRefund = claim.type === 'escrow.refunded' && isPaid && isResolved(record);
    if (isRefund && record.type === 'single-release') return CONFIRMED;
    return no('The escrow provider does not show it.');
  };

type LedgerParts = EvidenceParts & Pick<OutsideSystems, 'network'>;

type Found = Pick<EventSubject, 'view'> & { readonly payments: readonly LedgerPayment[] };

const assetOfOrder = ({ usdc }: LedgerParts, { order }: WithEscrow): LedgerAsset =>
  assetOf(order.currency) === 'XLM' ? NATIVE : usdc;

/** The payments between the contract and others, in the escrow's asset. */
const ofContract = (parts: LedgerParts, { payments, view }: Found) => {
  const contract = view.escrow.providerContractId;
  const asset = assetOfOrder(parts, view);
  const own = payments.filter((each) => each.successful && isSame(each.asset, asset));
  return { into: own.filter(({ to }) => to === contract), outOf: own.filter(({ from }) => from === contract) };
};

/**
 * Only the contract that our own deployment made is accepted: a signature proves the sender, and money would be paid into the contract.
 * The ledger names the factory and not the new contract, so the transaction that we signed is read.
 */
const checkDeployment = async (parts: LedgerParts, subject: EventSubject): Promise<Check> => {
  const { view, claim, marketplaceId } = subject;
  // Compared with the event before.
  if (claim.transactionHash === null && deployedContract(view.escrow) !== null) return CONFIRMED;
  const hash = claim.transactionHash ?? view.escrow.transactionId;
  if (hash === null) return no('The order has not deployed a contract.');
  const own = await parts.findTransaction(marketplaceId, hash);
  if (!isOwnDeployment(own, subject)) return no('The transaction concerns another contract.');
  const found = await parts.network.transaction(hash);
  if (found.kind !== 'yes') return asUnknown(found);
  if (found.value.state === 'succeeded') return CONFIRMED;
  const reason = 'The ledger has no such transaction that succeeded.';
  return found.value.state === 'missing' ? notThereYet(reason) : no(reason);
};

/** A contract that pays each milestone separately pays one of them with one transaction. */
const checkPaymentsOf = async (
  parts: LedgerParts,
  { hash, ...subject }: EventSubject & { hash: string },
): Promise<Check> => {
  const { view } = subject;
  const { escrow, milestones } = view;
  const paid = await parts.network.paymentsOf(hash);
  if (paid.kind !== 'yes') return asUnknown(paid);
  const { outOf: payments } = ofContract(parts, { payments: paid.value, view });
  const total = totalOf(payments);
  const isMulti = escrow.contractType === 'multi-release';
  // A resolution also pays out money that others paid into the contract.
  const isWhole = isMulti ? milestones.some(({ amount }) => amount === total) : total >= escrow.amount;
  return checkPayout(subject, { payments, isWhole });
};

/** Whether the ledger has the event's transaction with the reported effect. A new contract needs its deployment in any case. */
const checkTransaction = async (parts: LedgerParts, subject: EventSubject): Promise<Check> => {
  const { view, claim } = subject;
  if (claim.type === 'escrow.created') return checkDeployment(parts, subject);
  const hash = claim.transactionHash;
  if (hash === null) return CONFIRMED;
  const isFunding = claim.type === 'escrow.funded' || claim.type === 'escrow.funding_started';
  const concerns = await parts.network.verifyTransactionConcerns({
    hash,
    contract: view.escrow.providerContractId ?? '',
    asset: assetOfOrder(parts, view),
    ...(isFunding ? { amount: view.escrow.amount } : {}),
  });
  if (concerns.kind === 'no' && concerns.code === 'missing') return notThereYet(concerns.reason);
  if (concerns.kind !== 'yes') return concerns;
  return isPayout(claim) ? checkPaymentsOf(parts, { ...subject, hash }) : CONFIRMED;
};

/** All payments of the transactions in which this address and the contract paid each other, newest first. */
const findPayments = async (
  parts: LedgerParts,
  { view, address }: Pick<EventSubject, 'view'> & { readonly address: string },
): Promise<Answer<readonly LedgerPayment[]>> => {
  const page = await parts.network.payments({ address, order: 'desc' });
  if (page.kind !== 'yes') return asUnknown(page);
  const { into, outOf } = ofContract(parts, { payments: page.value.payments, view });
  const hashes = new Set([...into, ...outOf].map(({ transactionHash }) => transactionHash));
  if (hashes.size === 0 && !page.value.isLast) return unknown('The payment may be too old.', { code: 'unclear' });
  const found: LedgerPayment[] = [];
  for (const hash of hashes) {
    const paid = await parts.network.paymentsOf(hash);
    if (paid.kind !== 'yes') return asUnknown(paid);
    found.push(...paid.value);
  }
  return yes(found);
};

/**
 * Whether the ledger shows a transaction that pays this milestone to the side that the event names. Milestones of the same amount cannot be
 * told apart, so there have to be as many transactions as the order will show as paid.
 */
const checkPart = (subject: EventSubject, outOf: readonly LedgerPayment[]): Check => {
  const { view, claim } = subject;
  const milestone = view.milestones.find(({ ref }) => ref === claim.milestoneRef);
  if (!milestone) return no('The order has no such milestone.');
  const { amount } = milestone;
  const transactions = [...Map.groupBy(outOf, ({ transactionHash }) => transactionHash).values()];
  const fits = (payments: readonly LedgerPayment[]): boolean =>
    checkPayout(subject, { payments, isWhole: totalOf(payments) === amount }).kind === 'yes';
  const side = claim.type === 'escrow.released' ? 'releasedAmount' : 'refundedAmount';
  const paid = view.milestones.filter((each) => each[side] === amount && each.amount === amount);
  if (transactions.filter(fits).length > paid.length) return CONFIRMED;
  return no('The ledger shows no such payment.');
};

/** Whether the ledger shows that the whole escrow was paid in, or paid out to the side that the event names, or the milestone that it names. */
const checkWhole = async (parts: LedgerParts, subject: EventSubject): Promise<Check> => {
  const { view, claim } = subject;
  const { escrow } = view;
  const party = claim.type === 'escrow.released' ? escrow.seller : escrow.buyer;
  const found = await findPayments(parts, { view, address: party.address });
  if (found.kind !== 'yes') return found;
  const { into, outOf } = ofContract(parts, { payments: found.value, view });
  if (!isPayout(claim)) {
    // An outsider may have paid, and the ledger cannot be asked for the payments of a contract.
    return totalOf(into) >= escrow.amount
      ? CONFIRMED
      : notThereYet("The ledger shows no payment from the buyer's wallet.");
  }
  if (outOf.length === 0) return no('The ledger shows no such payment.');
  if (claim.milestoneRef !== null && escrow.contractType === 'multi-release') return checkPart(subject, outOf);
  return checkPayout(subject, { payments: outOf, isWhole: totalOf(outOf) >= escrow.amount });
};

export const createEvidence = (parts: EvidenceParts & OutsideSystems) => {
  const findRecord = createFindRecord(parts);
  const checkProvider = checkOfProvider(findRecord);
  const ofTransaction = (subject: EventSubject): Promise<Check> => checkTransaction(parts, subject);
  const ofLedger = (subject: EventSubject): Promise<Check> => checkWhole(parts, subject);

  /** Also what the provider shows. */
  const ofProvider = async (subject: EventSubject): Promise<Check> => {
    const transaction = await ofTransaction(subject);
    if (transaction.kind !== 'yes') return transaction;
    return checkProvider(subject, { isPaid: subject.claim.transactionHash !== null });
  };

  /** What the ledger shows about the whole escrow, and what the provider shows. */
  const ofBoth = async (subject: EventSubject): Promise<Check> => {
    const transaction = await ofTransaction(subject);
    if (transaction.kind !== 'yes') return transaction;
    const { view, claim } = subject;
    // One transaction funds any contract, and pays a contract out that has one payment.
    const isOne = !isPayout(claim) || view.escrow.contractType === 'single-release';
    const ledger = claim.transactionHash !== null && isOne ? CONFIRMED : await ofLedger(subject);
    return ledger.kind === 'yes' ? checkProvider(subject, { isPaid: true }) : ledger;
  };

  return { ofTransaction, ofProvider, ofBoth, ofLedger, findRecord };
};

export type Evidence = ReturnType<typeof createEvidence>;
