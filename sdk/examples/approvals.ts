// Two pairs of eyes: a large credit waits until another key approves it.

import { Holdfast, HoldfastError } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '', HOLDFAST_SECOND_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const second = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_SECOND_KEY });
const ada = await holdfast.users.create({ externalUserId: 'approvals-ada' });
await holdfast.approvals.setRules([{ action: 'balance.credit', amountFrom: '1000.00' }]);

try {
  await holdfast.balances.credit(ada.id, { amount: '5000.00' });
} catch (error) {
  if (!(error instanceof HoldfastError && error.code === 'APPROVAL_PENDING')) throw error;
  const { id } = error.details.approval;
  const approved = holdfast.approvals.waitFor(id);
  await second.approvals.approve(id);
  console.log((await approved).status);
}
console.log((await holdfast.balances.get(ada.id)).available);
// A rule can bind changes of the rules too: then this request waits for the second key.
const removal = await holdfast.approvals.setRules([], { approvals: true });
if ('approval' in removal) await second.approvals.approve(removal.approval.id);
