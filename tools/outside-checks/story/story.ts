// The life of a marketplace through a client that an independent generator made from the served document. The test of it puts this file
// beside the generated client, type-checks both and runs it; it is no part of the compilation of the project.

import { createClient, createConfig } from './client/client/index.ts';
import * as api from './client/index.ts';

const client = createClient(
  createConfig({ baseUrl: process.env.HOLDFAST_URL!, auth: () => process.env.HOLDFAST_KEY!, throwOnError: true }),
);
const call = { client, throwOnError: true } as const;

const say = (line: string): void => console.log(line);

/** A key of its own for every change: a repeat would get the first answer. */
const once = () => ({ 'Idempotency-Key': crypto.randomUUID() });

type Held = { approval: unknown };
type Wrapped<Data> = { success: true; data: Data };

/** What a request returned that no approval rule stopped. */
const dataOf = <Envelope extends { data: object }>({ data }: { data: Envelope }): Exclude<Envelope['data'], Held> => {
  if ('approval' in data.data) throw new Error('an approval rule stopped the request');
  return data.data as Exclude<Envelope['data'], Held>;
};

/** The same, for the routes whose content is in a second envelope. */
const contentOf = <Data>({ data }: { data: { data: Wrapped<Data> } }): Data => data.data.data;

const untilTrue = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never: ${what}`);
};

const createUser = async (name: string): Promise<string> => {
  const body = { externalUserId: name, email: `${name}@shop.example` };
  const user = dataOf(await api.postUsers({ ...call, body, headers: once() }));
  say(`user ${name}: ${user.status}`);
  return user.id;
};

const showBalance = async (name: string, userId: string): Promise<void> => {
  const { available, reserved } = dataOf(await api.getUsersByUserIdBalance({ ...call, path: { userId } }));
  say(`balance of the ${name}: ${available} available, ${reserved} reserved`);
};

const orderAt = async (id: string): Promise<string> => {
  const { status, finalStatus } = contentOf(await api.getOrdersById({ ...call, path: { id } }));
  return finalStatus === null ? status : `${status} ${finalStatus}`;
};

/** An order whose money is in escrow. */
const fundedOrder = async (parties: { buyerId: string; sellerId: string }): Promise<string> => {
  const body = { ...parties, amount: '100.00', title: 'A chair' };
  const { id, status } = contentOf(await api.postOrders({ ...call, body }));
  say(`order: ${status}`);
  await api.postOrdersByIdReserve({ ...call, path: { id } });
  say(`reserved: ${await orderAt(id)}`);
  await api.postOrdersByIdEscrow({ ...call, path: { id } });
  say(`escrow created: ${await orderAt(id)}`);
  await api.postOrdersByIdEscrowFund({ ...call, path: { id } });
  say(`escrow funded: ${await orderAt(id)}`);
  return id;
};

const buyerId = await createUser('buyer');
const sellerId = await createUser('seller');
const credit = { ...call, path: { userId: buyerId }, body: { amount: '500.00', reference: 'first' }, headers: once() };
await api.postUsersByUserIdBalanceCredit(credit);
await api.postUsersByUserIdBalanceCredit(credit);
await showBalance('buyer', buyerId);

const released = await fundedOrder({ buyerId, sellerId });
await api.postOrdersByOrderIdResolutionRelease({ ...call, path: { orderId: released }, headers: once() });
say(`released: ${await orderAt(released)}`);
await showBalance('buyer', buyerId);
await showBalance('seller', sellerId);

const disputed = await fundedOrder({ buyerId, sellerId });
const dispute = contentOf(
  await api.postOrdersByOrderIdResolutionDispute({
    ...call,
    path: { orderId: disputed },
    body: { orderId: disputed, openedBy: 'BUYER', reason: 'QUALITY_ISSUE' },
    headers: once(),
  }),
);
say(`dispute: ${dispute.status}`);
const ofDispute = { ...call, path: { id: dispute.id } };
await api.postDisputesByIdAssign({ ...ofDispute, body: { assignedTo: 'agent-1' } });
const split = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00', note: 'three legs of four' } as const;
await api.postDisputesByIdResolve({ ...ofDispute, body: split, headers: once() });
say(`dispute: ${contentOf(await api.getDisputesById(ofDispute)).status}, order: ${await orderAt(disputed)}`);
await showBalance('buyer', buyerId);
await showBalance('seller', sellerId);

const asked = { userId: sellerId, amount: '50.00', currency: 'USD', destination: { type: 'bank' } } as const;
const { id } = dataOf(await api.postWithdrawals({ ...call, body: asked, headers: once() }));
const ofWithdrawal = { ...call, path: { id } };
await api.postWithdrawalsByIdCommit({ ...ofWithdrawal, headers: once() });
await api.postSandboxPayoutsByIdByDecision({ ...call, path: { id, decision: 'complete' } });
await untilTrue('the withdrawal is paid out', async () => {
  const { status } = dataOf(await api.getWithdrawalsById(ofWithdrawal));
  return status === 'WITHDRAWAL_COMPLETED';
});
say('withdrawal: WITHDRAWAL_COMPLETED');
await showBalance('seller', sellerId);

const refused = await api.postOrdersByIdReserve({ client, path: { id: released }, throwOnError: false });
say(`a closed order cannot be reserved: ${refused.response?.status} ${refused.error?.error.code}`);
const proof = dataOf(await api.getAuditProof(call));
say(`proof: ${proof.checks.every(({ holds }) => holds) ? 'every check holds' : 'a check fails'}`);
