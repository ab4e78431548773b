// A rental with a deposit: the rent is paid to the owner, the deposit goes back to the tenant or is shared after a complaint.

import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });

await holdfast.policies.create({
  name: 'rental',
  rules: {
    cancelUnfundedAfter: 'P1D',
    dispute: { decideWithin: 'P10D', then: 'REFUND' },
    platformFee: { percent: '3' },
    allow: { dispute: ['seller', 'operator'] },
  },
});

const tenant = await holdfast.users.create({ externalUserId: 'rental-tenant' });
const owner = await holdfast.users.create({ externalUserId: 'rental-owner' });
await holdfast.balances.credit(tenant.id, { amount: '800.00' });

const { id } = await holdfast.orders.create({
  buyerId: tenant.id,
  sellerId: owner.id,
  amount: '800.00',
  title: 'A cabin for a week',
  milestones: [
    { ref: 'rent', title: 'Rent', amount: '600.00' },
    { ref: 'deposit', title: 'Deposit', amount: '200.00' },
  ],
  policy: 'rental',
});
await holdfast.orders.reserve(id);
await holdfast.orders.createEscrow(id);
await holdfast.orders.fundEscrow(id);

await holdfast.orders.completeMilestone(id, 'rent');
await holdfast.orders.releaseMilestone(id, { ref: 'rent' });

// A window is broken: the owner asks for a part of the deposit. If no one decides within ten days, the tenant gets all of it.
const disputed = await holdfast.orders.disputeMilestone(id, {
  ref: 'deposit',
  openedBy: 'SELLER',
  reason: 'QUALITY_ISSUE',
});
const { disputeId = '' } = disputed.milestones[1] ?? {};
await holdfast.disputes.assign(disputeId, { assignedTo: 'support-1' });

const decision = { decision: 'SPLIT', releaseAmount: '50.00', refundAmount: '150.00' } as const;
const preview = await holdfast.disputes.resolve(disputeId, decision, { dryRun: true });
for (const { userId, before, after } of preview.balances) {
  console.log(`${userId === owner.id ? 'The owner' : 'The tenant'}: ${before.available} to ${after.available}`);
}
const { order } = await holdfast.disputes.resolve(disputeId, decision);
console.log(
  `${order.finalStatus}: ${order.paid?.seller} to the owner, ${order.paid?.buyer} back, fee ${order.paid?.fee}`,
);
