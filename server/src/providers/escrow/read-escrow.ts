// Converts an escrow of the provider's index into our type. The two contract types keep flags and receivers in different places.
// Newer records name their type; older ones show it by their fields.

import { plus, ZERO } from '../../books/money.ts';
import type { EscrowFlags, EscrowMilestone, EscrowRecord } from '../escrow-port.ts';
import {
  amountOf,
  type Fields,
  fieldsOf,
  findAmount,
  findText,
  isFields,
  isTrue,
  listOf,
  textOf,
} from '../reply-fields.ts';

export function readEscrow(value: unknown): EscrowRecord {
  const fields = fieldsOf(value, 'The escrow');
  const roles = fieldsOf(fields.roles, 'roles');
  const isSingle = (findText(fields, 'type') ?? (isFields(fields.flags) ? 'single-release' : '')) === 'single-release';
  const milestones = listOf(fields.milestones, 'milestones').map((entry) => readMilestone(fieldsOf(entry), isSingle));
  return {
    contractId: textOf(fields, 'contractId'),
    type: isSingle ? 'single-release' : 'multi-release',
    engagementId: textOf(fields, 'engagementId'),
    signer: findText(fields, 'signer'),
    roles: {
      approver: textOf(roles, 'approver'),
      serviceProvider: textOf(roles, 'serviceProvider'),
      platform: textOf(roles, 'platformAddress'),
      releaseSigner: textOf(roles, 'releaseSigner'),
      disputeResolver: textOf(roles, 'disputeResolver'),
    },
    receiver: findText(roles, 'receiver'),
    amount: findAmount(fields, 'amount') ?? sumOf(milestones),
    balance: amountOf(fields, 'balance'),
    // A percentage has two decimal places and an amount seven, so a hundredth of a percent is 10^5 units.
    platformFeeBps: Number(amountOf(fields, 'platformFee') / 100_000n),
    flags: isSingle ? readFlags(fields.flags) : null,
    milestones,
  };
}

function readMilestone(fields: Fields, isSingle: boolean): EscrowMilestone {
  const flags = isFields(fields.flags) ? fields.flags : {};
  return {
    description: findText(fields, 'description') ?? '',
    status: findText(fields, 'status') ?? '',
    approved: isTrue(fields, 'approved') || isTrue(flags, 'approved'),
    amount: isSingle ? null : amountOf(fields, 'amount'),
    receiver: isSingle ? null : findText(fields, 'receiver'),
    flags: isSingle ? null : readFlags(fields.flags),
  };
}

// A flag that was never set may be left out.
function readFlags(value: unknown): EscrowFlags {
  const flags = isFields(value) ? value : {};
  return {
    disputed: isTrue(flags, 'disputed'),
    released: isTrue(flags, 'released'),
    resolved: isTrue(flags, 'resolved'),
  };
}

const sumOf = (milestones: readonly EscrowMilestone[]): EscrowRecord['amount'] =>
  milestones.reduce((sum, { amount }) => plus(sum, amount ?? ZERO), ZERO);
