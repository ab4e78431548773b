// Converts the escrow and the arguments of the calls to and from the ledger's own values. Structures are maps whose keys are symbols
// in alphabetical order, amounts are i128 in 10^-7: docs/sandbox-contract.md lists them all.

import { Address, nativeToScVal, scValToNative, scvSortedMap, xdr } from '@stellar/stellar-sdk';
import type { Distribution, Escrow, EscrowType, Flags, MultiMilestone, SingleMilestone } from './escrow.ts';

type Value = xdr.ScVal;
const { ScVal } = xdr;

export const text = (value: string): Value => ScVal.scvString(value);
export const symbol = (value: string): Value => ScVal.scvSymbol(value);
export const address = (value: string): Value => Address.fromString(value).toScVal();
export const i128 = (value: bigint): Value => nativeToScVal(value, { type: 'i128' });
export const u32 = (value: number): Value => ScVal.scvU32(value);
export const bytes = (value: Uint8Array): Value => ScVal.scvBytes(value);
export const list = (values: Value[]): Value => ScVal.scvVec(values);
export const optional = (value: Value | null): Value => value ?? ScVal.scvVoid();

const flag = (value: boolean): Value => ScVal.scvBool(value);

const struct = (fields: Record<string, Value>): Value =>
  ScVal.scvMap(
    Object.keys(fields)
      .sort()
      .map((name) => new xdr.ScMapEntry({ key: symbol(name), val: fields[name]! })),
  );

export const writeDistributions = (parts: Distribution[]): Value =>
  scvSortedMap(parts.map((part) => new xdr.ScMapEntry({ key: address(part.address), val: i128(part.amount) })));

export const readDistributions = (value: Value): Distribution[] =>
  (value.type === 'scvMap' ? (value.map ?? []) : []).map(({ key, val }) => ({
    address: scValToNative(key),
    amount: scValToNative(val),
  }));

export function writeEscrow(escrow: Escrow): Value {
  const { roles } = escrow;
  const common = {
    engagement_id: text(escrow.engagementId),
    title: text(escrow.title),
    description: text(escrow.description),
    platform_fee: u32(escrow.platformFeeBps),
    trustline: struct({ address: address(escrow.token) }),
  };
  const people = {
    approver: address(roles.approver),
    service_provider: address(roles.serviceProvider),
    platform_address: address(roles.platformAddress),
    release_signer: address(roles.releaseSigner),
    dispute_resolver: address(roles.disputeResolver),
  };
  if (escrow.type === 'multi-release') {
    const milestones = list(escrow.milestones.map(writeMultiMilestone));
    return struct({ ...common, roles: struct(people), milestones });
  }
  return struct({
    ...common,
    amount: i128(escrow.amount),
    roles: struct({ ...people, receiver: address(escrow.roles.receiver) }),
    milestones: list(escrow.milestones.map(writeSingleMilestone)),
    flags: writeFlags(escrow.flags),
  });
}

const writeFlags = (flags: Flags): Value =>
  struct(Object.fromEntries(Object.entries(flags).map(([name, set]) => [name, flag(set)])));

const writeSingleMilestone = ({ description, status, evidence, approved }: SingleMilestone): Value =>
  struct({ description: text(description), status: text(status), evidence: text(evidence), approved: flag(approved) });

const writeMultiMilestone = ({ description, status, evidence, amount, receiver, flags }: MultiMilestone): Value =>
  struct({
    description: text(description),
    status: text(status),
    evidence: text(evidence),
    amount: i128(amount),
    receiver: address(receiver),
    flags: writeFlags(flags),
  });

// The contract's names of its fields.
type Raw = {
  engagement_id: string;
  title: string;
  description: string;
  platform_fee: number;
  trustline: { address: string };
  roles: Record<
    'approver' | 'service_provider' | 'platform_address' | 'release_signer' | 'dispute_resolver',
    string
  > & {
    receiver: string;
  };
  amount: bigint;
  flags: Flags;
  milestones: never[];
};

export function readEscrow(value: Value, type: EscrowType): Escrow {
  const raw = scValToNative(value) as Raw;
  const { roles } = raw;
  const common = {
    engagementId: raw.engagement_id,
    title: raw.title,
    description: raw.description,
    platformFeeBps: raw.platform_fee,
    token: raw.trustline.address,
  };
  const people = {
    approver: roles.approver,
    serviceProvider: roles.service_provider,
    platformAddress: roles.platform_address,
    releaseSigner: roles.release_signer,
    disputeResolver: roles.dispute_resolver,
  };
  // The milestones of the contract have the same field names as ours.
  if (type === 'multi-release') return { ...common, type, roles: people, milestones: raw.milestones };
  const { amount, flags, milestones } = raw;
  return { ...common, type, amount, flags, milestones, roles: { ...people, receiver: roles.receiver } };
}
