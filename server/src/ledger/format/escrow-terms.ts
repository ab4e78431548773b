// The terms of a new escrow as its contract stores them. A deployment passes this structure, and a funding repeats it.

import type { DeployStep } from '../keys/expectation.ts';
import { address, flag, i128, list, struct, text, tokenOf, u32, type Value } from './contract-values.ts';

const FIRST_STATUS = 'pending';
const unset = (...names: string[]): Value => struct(Object.fromEntries(names.map((name) => [name, flag(false)])));

const words = ({ description }: { description: string }) => ({
  description: text(description),
  status: text(FIRST_STATUS),
  evidence: text(''),
});

export const escrowTerms = (step: DeployStep, networkPassphrase: string): Value => {
  const { roles } = step;
  const common = {
    engagement_id: text(step.engagementId),
    title: text(step.title),
    description: text(step.description),
    platform_fee: u32(step.platformFeeBps),
    trustline: struct({ address: address(tokenOf(step.asset, networkPassphrase)) }),
  };
  const people = {
    approver: address(roles.approver),
    service_provider: address(roles.serviceProvider),
    platform_address: address(roles.platform),
    release_signer: address(roles.releaseSigner),
    dispute_resolver: address(roles.disputeResolver),
  };
  if (step.type === 'multi-release') {
    const milestones = step.milestones.map((milestone) =>
      struct({
        ...words(milestone),
        amount: i128(milestone.amount),
        receiver: address(milestone.receiver),
        flags: unset('approved', 'disputed', 'released', 'resolved'),
      }),
    );
    return struct({ ...common, roles: struct(people), milestones: list(milestones) });
  }
  const milestones = step.milestones.map((milestone) => struct({ ...words(milestone), approved: flag(false) }));
  return struct({
    ...common,
    amount: i128(step.amount),
    roles: struct({ ...people, receiver: address(step.receiver) }),
    milestones: list(milestones),
    flags: unset('disputed', 'released', 'resolved'),
  });
};
