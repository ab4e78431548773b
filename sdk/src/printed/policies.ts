// What these routes take and give.
// Printed from contract/src/api/policies.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';
import type { ChangedOrder } from './order-records.ts';

export type Policy = {
  /** Id of this version. */
  id: string;
  /** The name, which all versions share. */
  name: string;
  /** From 1; each creation under the same name is the next version. */
  version: number;
  /** The rules; at most 4096 bytes. */
  rules: {
    /**
     * Cancels the order when its escrow is not funded so long after its creation. An ISO 8601 duration of weeks, or of
     * days, hours, minutes and seconds, from PT1S to P3653D.
     */
    cancelUnfundedAfter?: string;
    /**
     * Releases the order so long after its last milestone was completed, or without milestones after its escrow was
     * funded, unless it is disputed. An ISO 8601 duration of weeks, or of days, hours, minutes and seconds, from PT1S
     * to P3653D.
     */
    autoReleaseAfter?: string;
    /** How long before each deadline an event reminds of it. A reminder that would be in the past is left out. */
    remindBefore?: string[];
    /** The deadline of a dispute. */
    dispute?: {
      /**
       * The time to decide a dispute, from its opening. An ISO 8601 duration of weeks, or of days, hours, minutes and
       * seconds, from PT1S to P3653D.
       */
      decideWithin: string;
      /** What happens when the dispute is not decided in time. `REMIND`: only an event. */
      then: 'RELEASE' | 'REFUND' | 'REMIND';
    };
    /** The time to inspect a completed milestone. */
    milestoneInspection?: {
      /**
       * The time to inspect a milestone, from its completion. An ISO 8601 duration of weeks, or of days, hours, minutes
       * and seconds, from PT1S to P3653D.
       */
      within: string;
      /** What happens afterwards. `RELEASE`: pays the milestone's part. `REMIND`: only an event. */
      then: 'RELEASE' | 'REMIND';
    };
    /**
     * The platform's fee: the percentage of the seller's part plus the fixed part, within the limits.
     * `metadata.platformFee` of an order wins.
     */
    platformFee?: {
      /** Percent, from 0 to 99 with at most two decimal places; 0 when it is absent. */
      percent?: string;
      /** Added to the percentage. A decimal string with at most two decimal places, in the currency of the order. */
      fixed?: string;
      /** The fee is at least this. A decimal string with at most two decimal places, in the currency of the order. */
      min?: string;
      /** The fee is at most this. A decimal string with at most two decimal places, in the currency of the order. */
      max?: string;
      /** Fees by the order's `metadata.category`, instead of the fee above. */
      categories?: Record<string, {
        /** Percent, from 0 to 99 with at most two decimal places; 0 when it is absent. */
        percent?: string;
        /** Added to the percentage. A decimal string with at most two decimal places, in the currency of the order. */
        fixed?: string;
        /** The fee is at least this. A decimal string with at most two decimal places, in the currency of the order. */
        min?: string;
        /** The fee is at most this. A decimal string with at most two decimal places, in the currency of the order. */
        max?: string;
      }>;
    };
    /**
     * Who may do what. `operator`: a caller with a key. `buyer`, `seller`: the party, through Surface B; of a dispute
     * also the `openedBy`. Through Surface B the buyer can release; the parties have no route for the other actions, so
     * an action that names only them is left to disputes and deadlines. Deadlines act whatever stands here.
     */
    allow?: {
      /** Who may release; without it, as for an order without a policy. */
      release?: ('buyer' | 'seller' | 'operator')[];
      /** Who may refund; without it, as for an order without a policy. */
      refund?: ('buyer' | 'seller' | 'operator')[];
      /** Who may open a dispute; without it, as for an order without a policy. */
      dispute?: ('buyer' | 'seller' | 'operator')[];
      /** Who may complete a milestone; without it, as for an order without a policy. */
      complete_milestone?: ('buyer' | 'seller' | 'operator')[];
      /** Who may cancel; without it, as for an order without a policy. */
      cancel?: ('buyer' | 'seller' | 'operator')[];
    };
  };
  /** When the version was created. */
  createdAt: string;
};

export type CreatePolicyInput = {
  /**
   * Name; unique within the marketplace. The same name again makes the next version. It does not begin with `pol_`. One
   * line with at least one visible character, without control characters.
   */
  name: string;
  /** The rules; at most 4096 bytes. */
  rules: {
    /**
     * Cancels the order when its escrow is not funded so long after its creation. An ISO 8601 duration of weeks, or of
     * days, hours, minutes and seconds, from PT1S to P3653D.
     */
    cancelUnfundedAfter?: string;
    /**
     * Releases the order so long after its last milestone was completed, or without milestones after its escrow was
     * funded, unless it is disputed. An ISO 8601 duration of weeks, or of days, hours, minutes and seconds, from PT1S
     * to P3653D.
     */
    autoReleaseAfter?: string;
    /** How long before each deadline an event reminds of it. A reminder that would be in the past is left out. */
    remindBefore?: string[];
    /** The deadline of a dispute. */
    dispute?: {
      /**
       * The time to decide a dispute, from its opening. An ISO 8601 duration of weeks, or of days, hours, minutes and
       * seconds, from PT1S to P3653D.
       */
      decideWithin: string;
      /** What happens when the dispute is not decided in time. `REMIND`: only an event. */
      then: 'RELEASE' | 'REFUND' | 'REMIND';
    };
    /** The time to inspect a completed milestone. */
    milestoneInspection?: {
      /**
       * The time to inspect a milestone, from its completion. An ISO 8601 duration of weeks, or of days, hours, minutes
       * and seconds, from PT1S to P3653D.
       */
      within: string;
      /** What happens afterwards. `RELEASE`: pays the milestone's part. `REMIND`: only an event. */
      then: 'RELEASE' | 'REMIND';
    };
    /**
     * The platform's fee: the percentage of the seller's part plus the fixed part, within the limits.
     * `metadata.platformFee` of an order wins.
     */
    platformFee?: {
      /** Percent, from 0 to 99 with at most two decimal places; 0 when it is absent. */
      percent?: string;
      /** Added to the percentage. A decimal string with at most two decimal places, in the currency of the order. */
      fixed?: string;
      /** The fee is at least this. A decimal string with at most two decimal places, in the currency of the order. */
      min?: string;
      /** The fee is at most this. A decimal string with at most two decimal places, in the currency of the order. */
      max?: string;
      /** Fees by the order's `metadata.category`, instead of the fee above. */
      categories?: Record<string, {
        /** Percent, from 0 to 99 with at most two decimal places; 0 when it is absent. */
        percent?: string;
        /** Added to the percentage. A decimal string with at most two decimal places, in the currency of the order. */
        fixed?: string;
        /** The fee is at least this. A decimal string with at most two decimal places, in the currency of the order. */
        min?: string;
        /** The fee is at most this. A decimal string with at most two decimal places, in the currency of the order. */
        max?: string;
      }>;
    };
    /**
     * Who may do what. `operator`: a caller with a key. `buyer`, `seller`: the party, through Surface B; of a dispute
     * also the `openedBy`. Through Surface B the buyer can release; the parties have no route for the other actions, so
     * an action that names only them is left to disputes and deadlines. Deadlines act whatever stands here.
     */
    allow?: {
      /** Who may release; without it, as for an order without a policy. */
      release?: ('buyer' | 'seller' | 'operator')[];
      /** Who may refund; without it, as for an order without a policy. */
      refund?: ('buyer' | 'seller' | 'operator')[];
      /** Who may open a dispute; without it, as for an order without a policy. */
      dispute?: ('buyer' | 'seller' | 'operator')[];
      /** Who may complete a milestone; without it, as for an order without a policy. */
      complete_milestone?: ('buyer' | 'seller' | 'operator')[];
      /** Who may cancel; without it, as for an order without a policy. */
      cancel?: ('buyer' | 'seller' | 'operator')[];
    };
  };
};

export type ExtendDeadlineInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
  /** The milestone: needed for `milestone_inspection`, and for the `dispute_decision` of a disputed milestone. */
  milestoneRef?: string;
  /** When it passes; later than now and than before, at most ten years from now. */
  until: string;
};

export type GetOutlookResult = {
  /** Order id. */
  orderId: string;
  steps: {
    kind: 'cancel_unfunded' | 'auto_release' | 'dispute_decision' | 'milestone_inspection' | 'reminder';
    /** When it passes. With simulators it follows their clock. */
    at: string;
    /**
     * `DONE`: it has passed, and what it does was begun. `CANCELED`: it became pointless. `HELD`: it waits for an
     * operator, who has held it or has to decide after too many refusals.
     */
    status: 'PENDING' | 'DONE' | 'CANCELED' | 'HELD';
    /** The milestone that is inspected or disputed. */
    milestoneRef: string | null;
    /** Of a reminder: the deadline that it belongs to. */
    of: 'cancel_unfunded' | 'auto_release' | 'dispute_decision' | 'milestone_inspection' | 'reminder' | null;
    /** How often an outside system had refused its work before; absent when that did not happen. */
    attempts?: number;
    /**
     * Of one that is DONE: why its work was refused; another one stands in its place. Otherwise why the one before it
     * was refused.
     */
    failure?: string;
    /** What happens then; null while it is held, and when it would be refused. */
    does: 'CANCEL' | 'RELEASE' | 'REFUND' | 'REMIND' | null;
    /** Why it would wait. */
    refusal: {
      code: string;
      message: string;
    } | null;
    /** The order afterwards, and what changes. */
    preview: {
      /**
       * The order afterwards: its id and status, and of the other fields, milestones and deadlines only those that the
       * step changes.
       */
      reply: ChangedOrder;
      /** The money moves, in their order. */
      postings: {
        /** The account that the money leaves. */
        from: string;
        /** The account that the money goes to. */
        to: string;
        /** Positive. Decimal string with two decimal places, or more when needed. */
        amount: string;
        /** Currency code. */
        currency: CurrencyCode;
        /** Kind of the move, as in statements. */
        move: string;
      }[];
      /** The balances of the users whose money would move. */
      balances: {
        /** The owner of the balance. */
        userId: string;
        /** Currency code. */
        currency: CurrencyCode;
        before: {
          /** Available balance. Decimal string with two decimal places, or more when needed. */
          available: string;
          /** Reserved balance. Decimal string with two decimal places, or more when needed. */
          reserved: string;
        };
        after: {
          /** Available balance. Decimal string with two decimal places, or more when needed. */
          available: string;
          /** Reserved balance. Decimal string with two decimal places, or more when needed. */
          reserved: string;
        };
      }[];
      /** The events that would be emitted, in their order. */
      events: {
        /** Type of the event. */
        type: string;
        /** The record of the event. */
        aggregateId: string;
        /** As on the event stream. */
        payload: unknown;
      }[];
      /** The calls of outside systems that it would lead to, in their order. The preview assumes that they succeed. */
      calls: {
        /** The outside system. */
        system: 'escrow-provider' | 'ledger-network' | 'payment-provider';
        /** What the system would be asked to do. */
        operation: string;
      }[];
    } | null;
  }[];
  /** Whether later deadlines are left out. */
  more: boolean;
};

export type HoldDeadlineInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
  /** The milestone: needed for `milestone_inspection`, and for the `dispute_decision` of a disputed milestone. */
  milestoneRef?: string;
};

export type ListPoliciesQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only versions of this name. */
  name?: string;
};

export type ResumeDeadlineInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
  /** The milestone: needed for `milestone_inspection`, and for the `dispute_decision` of a disputed milestone. */
  milestoneRef?: string;
};

export type TriggerDeadlineInput = {
  /** Reason; kept in the audit trail. */
  reason?: string;
  /** The milestone: needed for `milestone_inspection`, and for the `dispute_decision` of a disputed milestone. */
  milestoneRef?: string;
};
