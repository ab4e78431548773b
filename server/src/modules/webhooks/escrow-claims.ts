// Checks whether an event of the escrow provider fits our rows, and whether the provider's record shows it. A resolved dispute does not
// show who was paid, so that is read only from the calls that we signed ourselves.

import type { EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import { assetOf } from '../../ledger/keys/wallet.ts';
import type { EscrowFlags, EscrowRecord } from '../../providers/ports.ts';
import { type DoneCall, deployedContract, type Escrow } from '../escrows/escrow.ts';
import type { Operation } from '../operations/operation.ts';
import type { WithEscrow } from '../orders/order.ts';

/** The values of an event; null for a value that it does not have. */
export type EscrowClaim = {
  readonly type: EscrowEventType;
  readonly contractId: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly buyerAddress: string | null;
  readonly sellerAddress: string | null;
  readonly milestoneRef: string | null;
  readonly transactionHash: string | null;
};

const UNITS = /^\d{1,19}$/;
const CONTRACT = /^C[A-Z2-7]{55}$/;
/** The status of a milestone before any work. */
const FIRST_STATUS = 'pending';

/** The event has no amount, or one of these. */
const isAmountOf = (text: string | null, amounts: readonly Amount[]): boolean =>
  text === null || (UNITS.test(text) && amounts.includes(fromUnits(BigInt(text))));

/** The event has no value, or one of these. */
const isOneOf = (value: string | null, known: readonly (string | null)[]): boolean =>
  value === null || known.includes(value);

const contractMismatchOf = (escrow: Escrow, { type, contractId }: EscrowClaim): string | null => {
  const isCreation = type === 'escrow.created';
  const deployed = deployedContract(escrow);
  const known = isCreation ? (deployed ?? escrow.providerContractId) : (escrow.providerContractId ?? deployed);
  if (known !== null && !isOneOf(contractId, [known])) return 'The escrow has another contract.';
  if (!isCreation) return escrow.providerContractId === null ? 'The escrow has no contract yet.' : null;
  return contractId !== null && CONTRACT.test(contractId) ? null : 'The event names no contract.';
};

/** Why the event does not fit the order; null when it does. */
export const mismatchOf = ({ order, milestones, escrow }: WithEscrow, claim: EscrowClaim): string | null => {
  const mismatch = contractMismatchOf(escrow, claim);
  if (mismatch !== null) return mismatch;
  const isWhole = claim.type !== 'escrow.milestone_completed';
  const subject = isWhole ? escrow : milestones.find(({ ref }) => ref === claim.milestoneRef);
  if (!subject) return 'The order has no such milestone.';
  // An event about a milestone may name the amount of the milestone or of the whole escrow.
  const ownAmounts = milestones.filter(({ ref }) => ref === claim.milestoneRef).map(({ amount }) => amount);
  if (!isAmountOf(claim.amount, [subject.amount, escrow.amount, ...ownAmounts])) return 'The amount does not match.';
  if (!isOneOf(claim.currency, [order.currency, assetOf(order.currency)])) return 'The currency does not match.';
  const isBuyer = isOneOf(claim.buyerAddress, [escrow.buyer.address]);
  const isSeller = isOneOf(claim.sellerAddress, [escrow.seller.address]);
  return isBuyer && isSeller ? null : 'The escrow has other parties.';
};

/** The rows that the provider's record is compared with. */
type Known = Pick<WithEscrow, 'escrow' | 'operation' | 'milestones'> & Pick<EscrowClaim, 'milestoneRef'>;

type Part = { readonly flags: EscrowFlags | null; readonly milestone: number | null };

/** The parts that are paid out separately: the whole contract, or each milestone. */
const partsOf = ({ type, flags, milestones }: EscrowRecord): Part[] =>
  type === 'single-release'
    ? [{ flags, milestone: null }]
    : milestones.map((each, place) => ({ flags: each.flags, milestone: place }));

const isEveryPart = (record: EscrowRecord, holds: (part: Part) => boolean): boolean => {
  const parts = partsOf(record);
  return parts.length > 0 && parts.every(holds);
};

/** The parts that a payout is about: the milestone that it names, where each is paid separately, or all of them. */
const isPaidOut = (record: EscrowRecord, { known, holds }: { known: Known; holds: typeof isReleased }): boolean => {
  const { milestoneRef, milestones } = known;
  if (milestoneRef === null || record.type === 'single-release') {
    return isEveryPart(record, (part) => holds(known, part));
  }
  const place = milestones.find(({ ref }) => ref === milestoneRef)?.place;
  return partsOf(record).some((part) => part.milestone === place && holds(known, part));
};

/** Our own resolution of the part. A resolution that only the provider shows has no shares. */
const resolutionOf = ({ calls }: Escrow, { milestone }: Part): DoneCall | undefined =>
  calls.find((done) => done.call === 'resolve' && done.milestone === milestone);

const isReleased = ({ escrow }: Known, part: Part): boolean =>
  part.flags?.released === true || (part.flags?.resolved === true && resolutionOf(escrow, part)?.buyerUnits === '0');

const isOwnRefund = (operation: Operation | null): boolean =>
  operation?.kind === 'refund' || (operation?.kind === 'resolve-dispute' && operation.ask.decision === 'FULL_REFUND');

const isRefunded = ({ escrow, operation }: Known, part: Part): boolean =>
  part.flags?.resolved === true && (isOwnRefund(operation) || resolutionOf(escrow, part)?.sellerUnits === '0');

/** Whether the contract has the parties, amounts and fee with which this escrow deploys it. */
const isDeployed = (record: EscrowRecord, { escrow, milestones }: Known): boolean => {
  const { roles } = record;
  const isMulti = record.type === 'multi-release';
  const receivers = isMulti ? record.milestones.map(({ receiver }) => receiver) : [record.receiver];
  const amounts = isMulti ? record.milestones.map(({ amount }) => amount) : [record.amount];
  const ownAmounts = isMulti ? milestones.map(({ amount }) => amount) : [escrow.amount];
  const isFor = (party: 'buyer' | 'seller' | 'platform', addresses: readonly (string | null)[]): boolean =>
    addresses.every((address) => address === escrow[party].address);
  return (
    record.engagementId === escrow.orderId &&
    record.type === escrow.contractType &&
    record.platformFeeBps === escrow.platformFeeBps &&
    amounts.join() === ownAmounts.join() &&
    isFor('buyer', [record.signer ?? escrow.buyer.address, roles.approver, roles.releaseSigner]) &&
    isFor('seller', [roles.serviceProvider, ...receivers]) &&
    isFor('platform', [roles.platform, roles.disputeResolver])
  );
};

const isWorkedOn = (record: EscrowRecord, { milestones, milestoneRef }: Known): boolean => {
  const place = milestones.find(({ ref }) => ref === milestoneRef)?.place;
  const shown = place === undefined ? undefined : record.milestones[place];
  return shown !== undefined && (shown.approved || ![FIRST_STATUS, ''].includes(shown.status));
};

const SHOWN: Readonly<Record<EscrowEventType, (record: EscrowRecord, known: Known) => boolean>> = {
  'escrow.created': isDeployed,
  // The provider's record does not show it.
  'escrow.funding_started': () => false,
  'escrow.funded': ({ balance }, { escrow }) => balance >= escrow.amount,
  'escrow.milestone_completed': isWorkedOn,
  'escrow.released': (record, known) => isPaidOut(record, { known, holds: isReleased }),
  'escrow.refunded': (record, known) => isPaidOut(record, { known, holds: isRefunded }),
  'escrow.disputed': (record) => partsOf(record).some(({ flags }) => flags?.disputed === true),
};

/** Whether the provider's record shows the event. */
export const isShown = (record: EscrowRecord, known: Known & { readonly type: EscrowEventType }): boolean =>
  SHOWN[known.type](record, known);

/** Whether resolutions have paid the whole contract out. */
export const isResolved = (record: EscrowRecord): boolean =>
  isEveryPart(record, ({ flags }) => flags?.resolved === true);
