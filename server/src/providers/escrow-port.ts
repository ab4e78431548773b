// The escrow provider as the rest of the server sees it: unsigned transactions, their submission, and the state of its contracts.

import type { Answer } from '../base/answer.ts';
import type { Amount } from '../books/money.ts';
import type { LedgerAsset } from './ledger-port.ts';
import type { Priority } from './waiting-line.ts';

export type EscrowType = 'single-release' | 'multi-release';

export type EscrowRoles = {
  readonly approver: string;
  readonly serviceProvider: string;
  readonly platform: string;
  readonly releaseSigner: string;
  readonly disputeResolver: string;
};

export type EscrowShare = { readonly address: string; readonly amount: Amount };

type NewEscrow = {
  readonly kind: 'deploy';
  readonly signer: string;
  /** Our order's id, by which the contract is found again. */
  readonly engagementId: string;
  readonly title: string;
  readonly description: string;
  readonly roles: EscrowRoles;
  /** Hundredths of a percent. */
  readonly platformFeeBps: number;
  readonly asset: LedgerAsset;
};

type At<T extends EscrowType = EscrowType> = {
  readonly type: T;
  readonly contractId: string;
  /** The account that will sign. */
  readonly signer: string;
};
type AtMilestone<T extends EscrowType = EscrowType> = At<T> & { readonly milestone: number };

/** One call of an escrow contract: plain data, so that it can be stored, repeated, and compared with what is signed. */
export type EscrowStep =
  | (NewEscrow & {
      readonly type: 'single-release';
      readonly receiver: string;
      readonly amount: Amount;
      readonly milestones: readonly { readonly description: string }[];
    })
  | (NewEscrow & {
      readonly type: 'multi-release';
      readonly milestones: readonly {
        readonly description: string;
        readonly amount: Amount;
        readonly receiver: string;
      }[];
    })
  | (At & { readonly kind: 'fund'; readonly amount: Amount })
  | (AtMilestone & { readonly kind: 'change-status'; readonly status: string; readonly evidence?: string })
  | (AtMilestone & { readonly kind: 'approve' })
  | (At<'single-release'> & { readonly kind: 'release' })
  | (AtMilestone<'multi-release'> & { readonly kind: 'release' })
  | (At<'single-release'> & { readonly kind: 'dispute' })
  | (AtMilestone<'multi-release'> & { readonly kind: 'dispute' })
  | (At<'single-release'> & { readonly kind: 'resolve'; readonly shares: readonly EscrowShare[] })
  | (AtMilestone<'multi-release'> & { readonly kind: 'resolve'; readonly shares: readonly EscrowShare[] })
  | (At<'multi-release'> & { readonly kind: 'withdraw-remaining'; readonly shares: readonly EscrowShare[] });

export type EscrowFlags = { readonly disputed: boolean; readonly released: boolean; readonly resolved: boolean };

export type EscrowMilestone = {
  readonly description: string;
  readonly status: string;
  readonly approved: boolean;
  /** Null on a single-release escrow, where amount, receiver and flags are the escrow's own. */
  readonly amount: Amount | null;
  readonly receiver: string | null;
  readonly flags: EscrowFlags | null;
};

export type EscrowRecord = {
  readonly contractId: string;
  readonly type: EscrowType;
  readonly engagementId: string;
  readonly signer: string | null;
  readonly roles: EscrowRoles;
  readonly receiver: string | null;
  readonly amount: Amount;
  readonly balance: Amount;
  readonly platformFeeBps: number;
  /** Null on a multi-release escrow. */
  readonly flags: EscrowFlags | null;
  readonly milestones: readonly EscrowMilestone[];
};

export type EscrowProvider = {
  /** Changes nothing; returns the transaction to check and sign. The code of a no is an EscrowRefusal. */
  prepare(step: EscrowStep): Promise<Answer<{ unsignedTransaction: string }>>;
  /** The same envelope may be submitted again. The yes to a deployment may lack the contract: find it by engagement. */
  submit(signedEnvelope: string): Promise<Answer<{ contractId: string | null }>>;
  /** The contracts that exist, as the ledger has them. */
  findByContract(contractIds: readonly string[]): Promise<Answer<readonly EscrowRecord[]>>;
  /** Newest first. */
  findByEngagement(of: { signer: string; engagementId: string }): Promise<Answer<readonly EscrowRecord[]>>;
  balances(contractIds: readonly string[]): Promise<Answer<readonly { contractId: string; balance: Amount }[]>>;
  /** The same provider, for requests that wait behind those of a higher priority. */
  withPriority(priority: Priority): EscrowProvider;
  /** The same provider, for requests that count for this marketplace: one marketplace cannot use the provider's whole rate. */
  forMarketplace(marketplaceId: string): EscrowProvider;
};
