// An order between a buyer and a seller, and the pieces of work it may be paid for.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { FinalStatus, MilestoneStatus, OrderStatus } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';

export type Order = {
  readonly id: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly title: string;
  readonly description: string | null;
  readonly clientOrderRef: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Hundredths of a percent of what the seller gets. */
  readonly platformFeeBps: number;
  readonly status: OrderStatus;
  /** Null until it is closed. */
  readonly finalStatus: FinalStatus | null;
  /** The live one; an escrow that was set aside is no longer named here. */
  readonly escrowId: string | null;
  readonly disputeId: string | null;
  /** What is being carried out on its behalf right now. */
  readonly operationId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type Milestone = {
  /** Order and place, so that an order's milestones keep their order. */
  readonly id: string;
  readonly orderId: string;
  /** From 0: the contract counts them the same way. */
  readonly place: number;
  readonly ref: string;
  readonly title: string;
  readonly amount: Amount;
  readonly status: MilestoneStatus;
  readonly completedAt: string | null;
};

export const milestoneId = (orderId: string, place: number): string => `${orderId}:${place}`;

export const inPlace = (a: Pick<Milestone, 'place'>, b: Pick<Milestone, 'place'>): number => a.place - b.place;
