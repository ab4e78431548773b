// Closes a break that an operator can explain. Where the break concerns the books, its difference is compared again and booked to the
// operator's adjustments, so that both sides agree afterwards. Other breaks are accepted with their figures, and do not open again with them.

import { BREAK_KINDS, type BreakKind } from '@holdfast/contract/states.ts';
import type { DomainError } from '../../../base/domain-error.ts';
import { sumOf } from '../../../books/money.ts';
import type { Context, Need, Needs, UnitOfWork } from '../../../commit/command.ts';
import { acceptBreak, acceptedAt, acceptedNeed, isAccepted } from '../../reconciliation/accepted-break.ts';
import type { BreakReads, BreakRecord } from '../../reconciliation/queries.ts';
import { isUnpaid } from '../../topups/late-topup.ts';
import { failKeptEvent } from '../../webhooks/webhook-event.ts';
import type { Figures } from '../correction.ts';
import { type AnyKind, type Corrected, type CorrectionRequest, correctionKind, doesNotFit } from '../kind.ts';
import { bookWallet, type ObserveAddress, type SeenWallet, walletNeeds } from './book-wallet.ts';

type Parts = {
  readonly breaks: Pick<BreakReads, 'list' | 'acceptedAt'>;
  readonly observe: ObserveAddress;
  /** The status of an order; null when there is none. */
  statusOf(marketplaceId: string, orderId: string): Promise<string | null>;
};

type Seen = {
  readonly found: BreakRecord;
  /** Only for an address: what the ledger has there now. */
  readonly wallet: SeenWallet | null;
  /** When a correction has closed it before. */
  readonly acceptedAt: string | null;
};

/** The break of an id: kind and subject, joined by a colon. */
const partsOf = (id: string): { readonly kind: BreakKind; readonly subject: string } | null => {
  const kind = BREAK_KINDS.find((one) => id.startsWith(`${one}:`));
  return kind === undefined ? null : { kind, subject: id.slice(kind.length + 1) };
};

const factsOf = ({ kind, subject, expected, actual, difference, reason, resolvedAt }: BreakRecord): Figures => ({
  kind,
  subject,
  expected,
  actual,
  difference,
  cause: reason,
  isOpen: resolvedAt === null,
});

/** Breaks that have a way of their own, and would come back if they were only closed. */
const OTHER_WAYS: Readonly<Partial<Record<BreakKind, string>>> = {
  'short-funding': 'Use settle-short-funding on the order.',
  'unexplained-payment':
    'Compare the payment with your records, then release the wallet: POST /payments/release with its walletId books it as a loss.',
  'payment-float':
    'Book what you moved at the provider with POST /marketplaces/{id}/float, or allot float and grant a credit line there.',
};

type Known = { readonly request: CorrectionRequest; readonly found: BreakRecord };

const refused = ({ request, found }: Known, message: string): DomainError =>
  doesNotFit({ ...request, message, facts: factsOf(found) });

const requireOwnWay = (known: Known): void => {
  const { found } = known;
  if (found.resolvedAt !== null) throw refused(known, 'The break is closed. Nothing is left to correct.');
  const way = OTHER_WAYS[found.kind];
  if (way !== undefined) throw refused(known, `This break is not closed by hand. ${way}`);
};

const WALLETS: readonly BreakKind[] = ['wallet-usdc', 'wallet-xlm'];

const isOfWallet = ({ kind }: Pick<BreakRecord, 'kind'>): boolean => WALLETS.includes(kind);

/** A payout that is not finished may still change, and what it paid too little is the user's. */
const requireBorne = (work: UnitOfWork, known: Known): void => {
  const { id, status, amount, executed } = work.get('withdrawals', known.found.subject);
  if (status !== 'WITHDRAWAL_COMPLETED') {
    throw refused(known, 'The payout is not finished, so its amount may still change. The alert ends with the payout.');
  }
  if (executed === null || executed >= amount) return;
  throw refused(known, `The payout was too small. Use settle-payout on ${id}: it returns the rest to the user.`);
};

/** The payment was returned to the payer, or is kept: it is not credited to the user any more. */
const endTopUp = (work: UnitOfWork, { found }: Known): void => {
  const topup = work.get('topups', found.subject);
  if (!isUnpaid(topup) || topup.correctedAt !== null) return;
  work.put('topups', { ...topup, correctedAt: work.now });
};

/** The rows that one kind of break changes besides. */
const ROWS: Readonly<Partial<Record<BreakKind, (id: string) => Need>>> = {
  'payout-amount': (id) => ({ table: 'withdrawals', id }),
  'late-topup': (id) => ({ table: 'topups', id }),
  'escrow-event': (id) => ({ table: 'webhookEvents', id }),
};

const needsOf = ({ found, wallet }: Seen): Needs => {
  const own = ROWS[found.kind]?.(found.subject);
  const { rows = [], accounts = [] } = wallet ? walletNeeds(wallet) : {};
  return { rows: [acceptedNeed(found), ...(own ? [own] : []), ...rows], accounts };
};

const accept = (work: UnitOfWork, known: Known): void => {
  const { request, found } = known;
  if (found.kind === 'payout-amount') requireBorne(work, known);
  if (found.kind === 'late-topup') endTopUp(work, known);
  if (found.kind === 'escrow-event') failKeptEvent(work, { id: found.subject, failure: `Closed: ${request.reason}` });
  const { kind, subject, expected, actual } = found;
  acceptBreak(work, { kind, subject, figures: { expected, actual } });
};

/** A gain there is a deposit of the user. Booked to the operator, it would not be credited any more when its payment is found. */
const requireNoDeposit = (known: Known, { userId, observation: { actual, holdings } }: SeenWallet): void => {
  if (userId === null || actual <= sumOf(holdings.map(({ amount }) => amount))) return;
  throw refused(
    known,
    `The address is that of a user. POST /users/${userId}/balance/sync credits the money to the user.`,
  );
};

const closed = (facts: Figures): Figures => ({ ...facts, isOpen: false });

const decideWallet = (work: UnitOfWork, { known, wallet }: { known: Known; wallet: SeenWallet }): Corrected => {
  const { request, found } = known;
  const booked = bookWallet(work, { ...wallet, reference: found.id });
  if (booked === null) {
    throw refused(known, 'The ledger and the books agree now. The next reconciliation resolves the break.');
  }
  acceptBreak(work, { kind: found.kind, subject: found.subject, figures: null });
  const { amount, currency } = booked;
  const facts = { kind: found.kind, subject: found.subject, reason: request.reason };
  const before = { ...facts, isOpen: true, ...booked.before };
  return { before, after: { ...closed(facts), ...booked.after }, amount, currency, orderId: null };
};

const findOpen = async (
  { breaks }: Parts,
  { marketplaceId, request }: Pick<Context, 'marketplaceId'> & { readonly request: CorrectionRequest },
): Promise<BreakRecord> => {
  const named = partsOf(request.resourceId);
  const page = named && (await breaks.list({ ...named, marketplaceId, limit: 1, cursor: null }));
  const found = page?.rows[0];
  if (found) return found;
  const message =
    'There is no such break. GET /reconciliation/breaks lists them; its id is the kind and the subject, joined by a colon.';
  throw doesNotFit({ ...request, message, facts: {} });
};

export const closeBreak = (parts: Parts): AnyKind =>
  correctionKind<Seen>({
    async look(context, request) {
      const found = await findOpen(parts, { marketplaceId: context.marketplaceId, request });
      const known = { request, found };
      requireOwnWay(known);
      const last = await parts.breaks.acceptedAt(context.marketplaceId, found.id);
      if (isOfWallet(found)) {
        const wallet = await parts.observe(context.marketplaceId, found);
        requireNoDeposit(known, wallet);
        return { found, acceptedAt: last, wallet };
      }
      const status = found.orderId === null ? null : await parts.statusOf(context.marketplaceId, found.orderId);
      if (found.kind === 'contract' && status !== null && status !== 'CLOSED') {
        throw refused(known, 'The order is open. Use adopt-contract-state on it, or settle it; the break then ends.');
      }
      return { found, wallet: null, acceptedAt: last };
    },
    needs: ({ seen }) => needsOf(seen),
    decide(work, { request, seen: { found, wallet, acceptedAt: before } }) {
      const known = { request, found };
      if (acceptedAt(work, found) !== before || isAccepted(work, { ...found, figures: found })) {
        throw refused(known, 'Another correction has closed the break. Nothing is left to correct.');
      }
      if (wallet) return decideWallet(work, { known, wallet });
      accept(work, known);
      const facts = factsOf(found);
      return { before: facts, after: closed(facts), amount: null, currency: null, orderId: found.orderId };
    },
    reactions: ({ seen: { found } }) => [
      { name: 'break-closed', payload: { kind: found.kind, subject: found.subject } },
    ],
  });
