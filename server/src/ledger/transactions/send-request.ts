// What the sender is asked to send, and what that can come to.

import type { InternalRefusal } from '../../base/internal-refusal.ts';
import type { Amount } from '../../books/money.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { Drawn } from './build-transaction.ts';
import type { LedgerAction } from './ledger-transaction.ts';
import type { Delivered } from './submit-envelope.ts';

export type SendRequest = {
  readonly marketplaceId: string;
  readonly wallet: Wallet;
  readonly purpose: string;
  readonly actions: readonly LedgerAction[];
  /** Draws up the transaction when it is the wallet's turn, where that is not done from the actions alone. */
  draw?(): Promise<Drawn>;
};

/** `hash` is null when nothing was signed, so that asking again is safe; otherwise the sender itself goes on with it. */
export type Sent =
  | {
      readonly kind: 'yes';
      readonly hash: string;
      /** For each action how much the ledger really moved; null where it moves nothing, or more than one amount. */
      readonly paid: readonly (Amount | null)[];
      readonly contractId: Delivered['contractId'];
    }
  | {
      readonly kind: 'no';
      readonly hash: string | null;
      readonly reason: string;
      /**
       * `refused`: nothing was sent. `failed`: on the ledger, without effect. `rejected`: never in a ledger.
       * `expired`: its time was over before it was in one, so it may be asked for again.
       */
      readonly why: 'refused' | 'failed' | 'rejected' | 'expired';
      /** In the words of whoever said no, or of our own rows. */
      readonly code: string | null;
      /** Why our own rows refused the transaction before it was sent. */
      readonly refusal?: InternalRefusal;
    }
  | { readonly kind: 'unknown'; readonly hash: string | null; readonly reason: string };
