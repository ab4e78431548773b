// The steps of `demo`: money comes in two ways, one order is released, one refunded, one disputed and split, and a seller is paid
// out. Every step is a real API call.

import { randomBytes } from 'node:crypto';
import type { Holdfast, Order } from '@holdfast/sdk';
import { depositAddress, waitFor } from './waiting.ts';

export type StepRunner = {
  readonly client: Holdfast;
  readonly signal: AbortSignal;
  /** Runs one step and prints its result. */
  step<Value>(title: string, work: () => Promise<{ said: string; value: Value }>): Promise<Value>;
};

type Cast = { readonly ada: string; readonly linus: string; readonly grace: string };

const castOf = ({ client, step }: StepRunner): Promise<Cast> =>
  step('Three users join', async () => {
    const tag = randomBytes(3).toString('hex');
    const make = async (name: string, type: 'BUYER' | 'SELLER'): Promise<string> =>
      (await client.users.create({ externalUserId: `${name}-${tag}`, email: `${name}-${tag}@shop.example`, type })).id;
    const ada = await make('ada', 'BUYER');
    const linus = await make('linus', 'BUYER');
    const grace = await make('grace', 'SELLER');
    return { said: `ada-${tag} and linus-${tag} buy, grace-${tag} sells`, value: { ada, linus, grace } };
  });

const topUp = ({ client, signal, step }: StepRunner, { userId, amount }: { userId: string; amount: string }) =>
  step(`Ada pays ${amount} in through the payment provider`, async () => {
    const { id } = await client.topups.create({ userId, amount });
    await client.sandbox.decidePayin(id, 'confirm');
    await waitFor({
      what: `The success of ${id}`,
      signal,
      read: () => client.topups.get(id),
      isDone: ({ status }) => status === 'TOPUP_SUCCEEDED',
    });
    return { said: `${id} succeeded`, value: id };
  });

const deposit = (runner: StepRunner, { userId, amount }: { userId: string; amount: string }) =>
  runner.step(`Linus deposits ${amount} on the ledger`, async () => {
    const { client, signal } = runner;
    const address = await depositAddress(runner, userId);
    const { transactionHash } = await client.sandbox.faucet({ address, asset: 'USDC', amount });
    await waitFor({
      what: 'The credit of the deposit',
      signal,
      read: () => client.balances.get(userId),
      isDone: ({ available }) => available === amount,
    });
    return { said: `seen and credited, transaction ${transactionHash}`, value: transactionHash };
  });

/** Created, reserved, deployed and funded. */
const openOrder = async (client: Holdfast, input: Parameters<Holdfast['orders']['create']>[0]): Promise<Order> => {
  const { id } = await client.orders.create(input);
  await client.orders.reserve(id);
  await client.orders.createEscrow(id);
  return client.orders.fundEscrow(id);
};

const released = async ({ client, step }: StepRunner, { ada, grace }: Cast): Promise<string> => {
  const { id } = await step('Ada orders a website in two milestones, 120.00 in escrow', async () => {
    const milestones = [
      { ref: 'draft', title: 'The draft', amount: '50.00' },
      { ref: 'site', title: 'The site', amount: '70.00' },
    ];
    const order = await openOrder(client, {
      buyerId: ada,
      sellerId: grace,
      amount: '120.00',
      title: 'A website',
      milestones,
    });
    return { said: `${order.id}, contract ${order.escrow?.providerContractId}`, value: order };
  });
  await step('Grace completes both milestones, Ada releases the money', async () => {
    for (const ref of ['draft', 'site']) await client.orders.completeMilestone(id, ref);
    const order = await client.orders.release(id, { reason: 'as agreed' });
    const { available, currency } = await client.balances.get(grace);
    return { said: `${order.finalStatus}; after the platform fee Grace has ${available} ${currency}`, value: order };
  });
  return id;
};

const refunded = ({ client, step }: StepRunner, { linus, grace }: Cast): Promise<string> =>
  step('Linus orders a logo for 40.00, and is refunded', async () => {
    const { id } = await openOrder(client, { buyerId: linus, sellerId: grace, amount: '40.00', title: 'A logo' });
    const order = await client.orders.refund(id, { reason: 'cancelled by both parties' });
    const { available, currency } = await client.balances.get(linus);
    return { said: `${order.finalStatus}; Linus has ${available} ${currency} again`, value: id };
  });

const split = ({ client, step }: StepRunner, { ada, grace }: Cast): Promise<string> =>
  step('Ada disputes a third order of 60.00; the dispute is split 35.00 to 25.00', async () => {
    const { id } = await openOrder(client, { buyerId: ada, sellerId: grace, amount: '60.00', title: 'A brochure' });
    const dispute = await client.orders.dispute(id, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
    await client.disputes.assign(dispute.id, { assignedTo: 'support' });
    const { order } = await client.disputes.resolve(dispute.id, {
      decision: 'SPLIT',
      releaseAmount: '35.00',
      refundAmount: '25.00',
      note: 'half of the work was done',
    });
    return { said: `${order.finalStatus} by ${dispute.id}`, value: id };
  });

const payOut = ({ client, signal, step }: StepRunner, { userId, amount }: { userId: string; amount: string }) =>
  step(`Grace withdraws ${amount}`, async () => {
    const { baseCurrency } = await client.service.config();
    const currency = baseCurrency as 'USD' | 'USDC';
    const destination = { type: 'payment_account', email: 'grace@shop.example' } as const;
    const { id } = await client.withdrawals.create({ userId, amount, currency, destination, commit: true });
    await waitFor({
      what: `The payout of ${id}`,
      signal,
      read: () => client.sandbox.state(),
      isDone: ({ payouts }) => payouts.some((each) => each.withdrawalId === id && each.status === 'COMMITTED'),
    });
    await client.sandbox.decidePayout(id, 'complete');
    await waitFor({
      what: `The completion of ${id}`,
      signal,
      read: () => client.withdrawals.get(id),
      isDone: ({ status }) => status === 'WITHDRAWAL_COMPLETED',
    });
    return { said: `${id} completed`, value: id };
  });

export type Told = {
  readonly users: Cast;
  readonly orders: { readonly released: string; readonly refunded: string; readonly split: string };
  readonly topup: string;
  readonly deposit: string;
  readonly withdrawal: string;
};

export const runStory = async (runner: StepRunner): Promise<Told> => {
  const users = await castOf(runner);
  const topup = await topUp(runner, { userId: users.ada, amount: '250.00' });
  const paidIn = await deposit(runner, { userId: users.linus, amount: '80.00' });
  const orders = {
    released: await released(runner, users),
    refunded: await refunded(runner, users),
    split: await split(runner, users),
  };
  const withdrawal = await payOut(runner, { userId: users.grace, amount: '50.00' });
  return { users, orders, topup, deposit: paidIn, withdrawal };
};
