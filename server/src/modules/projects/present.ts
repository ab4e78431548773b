// The form of Surface B for a project's escrow and for a change of an available balance.

import { hash } from 'node:crypto';
import { parseInstant } from '../../base/instant.ts';
import { numberedId } from '../../base/ulid.ts';
import { fromUnits, minus } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { OrderView } from '../orders/order.ts';
import { paidSoFar } from '../orders/paid-milestones.ts';
import type { Change } from './people/queries.ts';
import { showNumber } from './surface/route.ts';

const escrowOf = ({ order, escrow }: OrderView): Escrow => {
  if (!escrow) throw new Error(`the order ${order.id} has lost its escrow`);
  return escrow;
};

export const presentEscrow = (view: OrderView, projectId: string) => {
  const { id, amount, currency, status, createdAt } = escrowOf(view);
  return {
    escrow_id: id,
    project_id: projectId,
    buyer_id: view.order.buyerId,
    seller_id: view.order.sellerId,
    amount: showNumber(amount),
    currency,
    status: status.toLowerCase(),
    created_at: createdAt,
  };
};

export const presentRelease = (view: OrderView) => {
  const { id, amount, status, releasedAt, updatedAt } = escrowOf(view);
  // Milestones may have been refunded on their own before.
  const { buyer } = paidSoFar(view.milestones);
  return {
    escrow_id: id,
    status: status.toLowerCase(),
    released_amount: showNumber(minus(amount, buyer)),
    released_at: releasedAt ?? updatedAt,
  };
};

type Sentence = {
  readonly plain: string;
  /** Placed before the reference, if there is one. */
  readonly about?: string;
  /** The description of the posting is shown instead, if it has one. */
  readonly usesDescription?: true;
};

const SENTENCES: Readonly<Partial<Record<MoveName, Sentence>>> = {
  credit: { plain: 'Credit', usesDescription: true },
  opening_credit: { plain: 'Opening balance', usesDescription: true },
  debit: { plain: 'Debit', usesDescription: true },
  reserve: { plain: 'Reserved', about: 'Reserved for' },
  release: { plain: 'No longer reserved', about: 'No longer reserved for' },
  cancel_reservation: { plain: 'No longer reserved', about: 'No longer reserved for' },
  deposit: { plain: 'Deposit' },
  sync_gain: { plain: 'Found on the ledger' },
  sync_loss: { plain: 'Missing on the ledger' },
  pay_seller: { plain: 'Payment', about: 'Payment for order' },
  refund_buyer: { plain: 'Refund', about: 'Refund of order' },
  topup: { plain: 'Top-up' },
};

/** A move without a sentence is shown by its name. */
const labelOf = (move: string): string => {
  const words = move.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const describe = ({ move, reference, description }: Change): string => {
  const { plain, about, usesDescription }: Sentence = SENTENCES[move as MoveName] ?? { plain: labelOf(move) };
  if (usesDescription && description) return description;
  return about && reference ? `${about} ${reference}` : plain;
};

const DIGEST_HEX_DIGITS = 20;

/** Made from the posting's key: it never changes, and it does not reveal how many postings there are. */
const idOf = ({ accountId, seq, postedAt }: Change): string => {
  const digest = hash('sha256', `${accountId}:${seq}`, 'hex').slice(0, DIGEST_HEX_DIGITS);
  const ms = Math.floor((parseInstant(postedAt) ?? 0) / 1_000);
  return numberedId('transaction', { ms, number: BigInt(`0x${digest}`) });
};

export const presentTransaction = (change: Change) => {
  const isCredit = change.amount > 0n;
  return {
    id: idOf(change),
    type: isCredit ? ('credit' as const) : ('debit' as const),
    amount: showNumber(fromUnits(isCredit ? change.amount : -change.amount)),
    currency: change.currency,
    description: describe(change),
    created_at: change.postedAt,
  };
};
