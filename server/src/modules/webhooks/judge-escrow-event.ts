// Decides whether an escrow event may be applied: it has to fit the order, and the outside systems have to confirm it as far as its
// signature and the settings require.

import type { EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import type { Amount } from '../../books/money.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { FindOrder } from '../operations/operation-context.ts';
import { isAlreadyApplied } from './apply-escrow-event.ts';
import { type EscrowClaim, mismatchOf } from './escrow-claims.ts';
import { createEvidence, type Evidence, type EvidenceParts, type OutsideSystems } from './escrow-evidence.ts';
import { disputedPlaces, needsPlaces } from './provider-disputes.ts';
import type { EscrowReads, OpenEscrow, OrderPlace } from './queries.ts';
import type { StoredClaim } from './webhook-event.ts';

export type JudgeParts = EvidenceParts & {
  /** The outside systems, for the checks of signed events. */
  readonly ofChecks: OutsideSystems;
  /** The same, for the checks of hints, which wait behind everything else. */
  readonly ofHints: OutsideSystems;
  /** What an event about money needs besides its signature. */
  readonly check: 'signature' | 'verify';
  readonly findOrder: FindOrder;
  readonly reads: Pick<EscrowReads, 'isHalfDone'>;
};

/** Events after which money is in another place. */
const MONEY_EVENTS: ReadonlySet<string> = new Set(['escrow.funded', 'escrow.released', 'escrow.refunded']);

export const isMoneyEvent = (type: string): boolean => MONEY_EVENTS.has(type);

const NO_CLAIM: StoredClaim = {
  contractId: null,
  amount: null,
  currency: null,
  buyerAddress: null,
  sellerAddress: null,
  milestoneRef: null,
  transactionHash: null,
};

/** A payout that names one milestone, or one transaction, of a contract that pays each milestone separately. */
const isAboutPart = (escrow: Escrow, { type, milestoneRef, transactionHash }: EscrowClaim): boolean =>
  escrow.contractType === 'multi-release' &&
  (type === 'escrow.released' || type === 'escrow.refunded') &&
  (milestoneRef !== null || transactionHash !== null);

type Claimed = { readonly place: OrderPlace; readonly claim: EscrowClaim & { readonly signed: boolean } };

/** `known`: a hint of what the rows show already. `unchecked`: an outside system could not be asked. */
export type Verdict =
  /** `places`: only of a dispute for which the provider was asked which milestones are disputed. */
  | { readonly kind: 'proven'; readonly places?: readonly number[] }
  | { readonly kind: 'known' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** `amount`: what the event reports; null when it is not about money. */
  | { readonly kind: 'unchecked' | 'contradicted'; readonly reason: string; readonly amount: Amount | null };

const HALF_DONE =
  'A settlement of the order has failed. The request that finishes it books what the contract has paid.';

const failedWith = (reason: string): Verdict => ({ kind: 'failed', reason });

/** Reads which milestones are disputed, where the rows alone cannot tell a new dispute from a known one. */
const judgeDispute = async (evidence: Evidence, subject: Parameters<Evidence['findRecord']>[0]): Promise<Verdict> => {
  const found = await evidence.findRecord(subject);
  if (found.kind === 'yes') return { kind: 'proven', places: disputedPlaces(found.value) };
  return found.kind === 'no' ? failedWith(found.reason) : { kind: 'unchecked', reason: found.reason, amount: null };
};

export const createJudge = (parts: JudgeParts) => {
  const ofChecks = createEvidence({ ...parts, ...parts.ofChecks });
  const ofHints = createEvidence({ ...parts, ...parts.ofHints });

  return async ({ place: { marketplaceId, orderId }, claim }: Claimed): Promise<Verdict> => {
    const found = await parts.findOrder(marketplaceId, orderId);
    if (!found?.escrow) return failedWith('The order has no escrow.');
    const view = { ...found, escrow: found.escrow };
    const mismatch = mismatchOf(view, claim);
    if (mismatch !== null) return failedWith(mismatch);
    const isKnown = isAlreadyApplied(view, { ...claim, orderId });
    const isAboutMoney = isMoneyEvent(claim.type);
    const isVerified = parts.check === 'verify' && isAboutMoney;
    if (isKnown && !claim.signed) return { kind: 'known' };
    // Of an order that goes on, only the payout of a milestone that we have paid is known.
    if (isKnown && isAboutPart(view.escrow, claim) && view.order.status !== 'CLOSED') return { kind: 'proven' };
    const isPart = isAboutPart(view.escrow, claim) && claim.milestoneRef !== null;
    if (isPart && (await parts.reads.isHalfDone(marketplaceId, orderId))) return failedWith(HALF_DONE);
    // Nothing outside shows that a payment is about to come, and the order would be locked for it. The payment itself will be shown.
    if (parts.check === 'verify' && claim.type === 'escrow.funding_started') return { kind: 'known' };
    // Nothing will move.
    if (isKnown && isVerified) return { kind: 'proven' };
    if (isVerified && view.order.status === 'CLOSED') return failedWith('The order is closed.');
    const evidence: Evidence = claim.signed ? ofChecks : ofHints;
    const subject = { marketplaceId, view, claim };
    if (claim.type === 'escrow.disputed' && needsPlaces(view)) return judgeDispute(evidence, subject);
    const isVerifiable = parts.check === 'verify' && claim.type === 'escrow.disputed';
    const isTrusted = claim.signed && !isVerifiable && !isAboutPart(view.escrow, claim);
    const lightly = isTrusted ? evidence.ofTransaction : evidence.ofProvider;
    const answer = await (isVerified ? evidence.ofBoth : lightly)(subject);
    if (answer.kind === 'yes') return { kind: 'proven' };
    const { reason } = answer;
    const amount = isAboutMoney ? view.escrow.amount : null;
    if (answer.kind === 'unknown') return isKnown ? { kind: 'proven' } : { kind: 'unchecked', reason, amount };
    return isVerified ? { kind: 'contradicted', reason, amount } : failedWith(reason);
  };
};

type LedgerCheckParts = Pick<JudgeParts, 'check' | 'findOrder' | 'findTransaction'> & {
  readonly providers: { readonly asset: EvidenceParts['usdc'] };
  readonly outside: OutsideSystems;
};

/** What the provider's record of an escrow shows. */
export type PolledChange = OpenEscrow & {
  readonly type: EscrowEventType;
  /** Null: the whole contract. */
  readonly milestoneRef: string | null;
};

/** For the poll: where money events are verified, the ledger has to show what the provider's record shows. */
export const createLedgerCheck = ({ check, findOrder, findTransaction, providers, outside }: LedgerCheckParts) => {
  const evidence = createEvidence({ usdc: providers.asset, findTransaction, ...outside });
  return async ({ marketplaceId, escrow, type, milestoneRef }: PolledChange): Promise<boolean> => {
    if (check === 'signature' || !isMoneyEvent(type)) return true;
    const found = await findOrder(marketplaceId, escrow.orderId);
    if (!found) return false;
    const claim = { ...NO_CLAIM, type, milestoneRef };
    const answer = await evidence.ofLedger({ marketplaceId, view: { ...found, escrow }, claim });
    return answer.kind === 'yes';
  };
};
