// An escrow as its contract stores it. Amounts are in 10^-7. A single-release escrow has one amount, one receiver and one set of
// flags; a multi-release escrow has them per milestone.

export type Flags = { disputed: boolean; released: boolean; resolved: boolean };

export type Roles = {
  approver: string;
  serviceProvider: string;
  platformAddress: string;
  releaseSigner: string;
  disputeResolver: string;
};

type Common = {
  engagementId: string;
  title: string;
  description: string;
  // Hundredths of a percent.
  platformFeeBps: number;
  // The token contract of its asset.
  token: string;
};

export type SingleMilestone = { description: string; status: string; evidence: string; approved: boolean };

export type MultiMilestone = {
  description: string;
  status: string;
  evidence: string;
  amount: bigint;
  receiver: string;
  flags: Flags & { approved: boolean };
};

export type SingleEscrow = Common & {
  type: 'single-release';
  amount: bigint;
  roles: Roles & { receiver: string };
  milestones: SingleMilestone[];
  flags: Flags;
};

export type MultiEscrow = Common & { type: 'multi-release'; roles: Roles; milestones: MultiMilestone[] };

export type Escrow = SingleEscrow | MultiEscrow;
export type EscrowType = Escrow['type'];

export type Distribution = { address: string; amount: bigint };

export const unsetFlags = (): Flags => ({ disputed: false, released: false, resolved: false });
