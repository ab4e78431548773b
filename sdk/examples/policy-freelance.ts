// Freelance work with milestones: each finished part is paid automatically when the client has not complained within five days.

import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });

const policy = await holdfast.policies.create({
  name: 'freelance',
  rules: {
    cancelUnfundedAfter: 'P3D',
    milestoneInspection: { within: 'P5D', then: 'RELEASE' },
    remindBefore: ['P1D'],
    dispute: { decideWithin: 'P14D', then: 'REMIND' },
    platformFee: { percent: '10', min: '2.00', max: '200.00' },
  },
});

const client = await holdfast.users.create({ externalUserId: 'freelance-client' });
const author = await holdfast.users.create({ externalUserId: 'freelance-author' });
await holdfast.balances.credit(client.id, { amount: '500.00' });

const order = await holdfast.orders.create({
  buyerId: client.id,
  sellerId: author.id,
  amount: '500.00',
  title: 'A handbook',
  milestones: [
    { ref: 'draft', title: 'Draft', amount: '200.00' },
    { ref: 'final', title: 'Final text', amount: '300.00' },
  ],
  policy: policy.id,
});
console.log(`The author gets ${order.sellerNet}, the fee is ${order.platformFeeAmount}`);
await holdfast.orders.reserve(order.id);
await holdfast.orders.createEscrow(order.id);
await holdfast.orders.fundEscrow(order.id);

// The draft is finished, and the client says nothing for five days.
await holdfast.orders.completeMilestone(order.id, 'draft');
await holdfast.sandbox.advanceClock({ seconds: 5 * 86_400 });
for await (const { eventType } of holdfast.events({ since: order.createdAt, resources: ['Order'] })) {
  if (eventType === 'order.milestone_released') break;
}

// The client is happy with the final text and does not wait.
await holdfast.orders.completeMilestone(order.id, 'final');
const closed = await holdfast.orders.releaseMilestone(order.id, { ref: 'final', reason: 'Accepted' });
for (const { title, status, releasedAmount, fee } of closed.milestones) {
  console.log(`${title}: ${status} ${releasedAmount}, fee ${fee}`);
}
console.log(`${closed.finalStatus}, the author has ${(await holdfast.balances.get(author.id)).available}`);
