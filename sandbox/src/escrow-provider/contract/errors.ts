// The refusals of the escrow contract, with the messages that reach the caller of the API. A rule names one of these, so a refusal
// that is not in this table does not compile.

import { ContractFailure } from '../../ledger-network/failures.ts';

export const CONTRACT_ERRORS = {
  AlreadyInitialized: 'Escrow already initialized',
  NotFound: 'Escrow not found',
  AmountZero: 'Amount cannot be equal to or less than zero',
  PlatformFeeTooHigh: 'The platform fee cannot exceed 99%',
  TooManyMilestones: 'Cannot define more than 10 milestones in an escrow',
  NoMilestone: 'Escrow initialized without milestone',
  FlagsSet: 'All flags (approved, disputed, released) must be false in order to execute this function.',
  PropertiesMismatch: 'The provided escrow properties do not match the stored escrow.',
  FunderShort: 'The signer has insufficient funds to fund the escrow.',
  OnlyServiceProvider: 'Only the service provider can change milestone status',
  InvalidIndex: 'Invalid milestone index',
  OnlyApprover: 'Only the approver can change milestone flag',
  AlreadyApproved: 'You cannot approve a milestone that has already been approved previously',
  EmptyStatus: 'The milestone status cannot be empty',
  OnlyReleaseSigner: 'Only the release signer can release the escrow earnings',
  EscrowReleased: 'The escrow funds have been released.',
  EscrowResolved: 'This escrow is already resolved',
  NotCompleted: 'The escrow must be completed to release earnings',
  InDispute: 'Escrow has been opened for dispute resolution',
  BalanceShort: 'The escrow balance must be equal to the amount of earnings defined for the escrow',
  AlreadyDisputed: 'Escrow already in dispute',
  ResolverCannotDispute: 'The dispute resolver cannot dispute the escrow.',
  CannotDispute: 'You are not authorized to change the dispute flag',
  OnlyResolver: 'Only the dispute resolver can execute this function',
  NotDisputed: 'Escrow not in dispute',
  TotalZero: 'The total amount to be distributed cannot be equal to zero.',
  PartNotPositive: 'None of the amounts to be transferred should be less or equal than 0.',
  SumNotBalance: 'The sum of distributions must equal the current escrow balance when resolving an escrow dispute.',
  ResolutionShort: 'Insufficient funds for resolution',
  MilestoneReleased: 'This milestone is already released',
  MilestoneResolved: 'This milestone is already resolved',
  MilestoneNotCompleted: 'The milestone must be completed to release funds',
  MilestoneInDispute: 'Milestone has been opened for dispute resolution',
  MilestoneAlreadyDisputed: 'Milestone already in dispute',
  MilestoneNotDisputed: 'Milestone not in dispute',
  TotalAboveMilestone: 'The total amount to be distributed cannot exceed the milestone amount.',
  NotAllProcessed: 'All milestones must be released or resolved before the remaining funds can be withdrawn.',
  OnlyPlatform: 'Only the platform address should be able to execute this function',
  PlatformFixed: 'The platform address of the escrow cannot be changed.',
  HasFunds: 'Escrow has funds',
  ApprovedFixed: "You can't change the escrow properties after the milestone is approved",
} as const;

export type ContractErrorName = keyof typeof CONTRACT_ERRORS;

export function refuseIf(condition: boolean, name: ContractErrorName): void {
  if (condition) throw refusal(name);
}

export const refusal = (name: ContractErrorName): ContractFailure => new ContractFailure(CONTRACT_ERRORS[name]);
