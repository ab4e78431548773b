// `orders run`: takes one order from its creation until its money is in escrow, and with --release until the seller is paid. On a
// server with the sandbox the command also creates the two users.

import { randomBytes } from 'node:crypto';
import { type Holdfast, HoldfastError, type Order } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { unitsOf } from '../money.ts';
import { type Agreement, agreementOf, type OrderOptions, orderOptions } from '../order-input.ts';
import { action, type Run } from '../run.ts';
import { showOrder } from '../view/orders.ts';

type RunOptions = OrderOptions & { readonly buyer?: string; readonly seller?: string; readonly release?: boolean };

/** Users that no server has: an id is 26 letters and digits after its prefix, and these are all zeros. */
const NO_USERS = { buyerId: `usr_${'0'.repeat(26)}`, sellerId: `usr_${'0'.repeat(25)}1` };

/**
 * Asks the server whether it would take the order, before a user is created for it. The preview is about users that do not exist, so
 * exactly that is refused when everything else is right.
 */
const checkOrder = async ({ client, options }: Run<RunOptions>, agreement: Agreement): Promise<void> => {
  const sides = { ...NO_USERS, ...(options.buyer === undefined ? {} : { buyerId: options.buyer }) };
  await client.orders.create({ ...sides, ...agreement }, { dryRun: true }).catch((error: unknown) => {
    if (!(error instanceof HoldfastError) || error.code !== 'USER_NOT_FOUND') throw error;
  });
  const { clientOrderRef } = agreement;
  if (clientOrderRef === undefined) return;
  const { items } = await client.orders.list({ clientOrderRef, limit: 1 }).page();
  if (items[0]) throw wrongUsage(`The reference "${clientOrderRef}" belongs to ${items[0].id}. Choose another --ref.`);
};

/** The two parties of the order. A party that was not named is created, and a created buyer gets the money. */
const sidesOf = async (run: Run<RunOptions>, agreement: Agreement): Promise<{ buyerId: string; sellerId: string }> => {
  const { client, options, out } = run;
  const { amount, currency } = agreement;
  if (options.buyer !== undefined && options.seller !== undefined) {
    return { buyerId: options.buyer, sellerId: options.seller };
  }
  // A forgotten option must never create money on a server with real money.
  const { sandbox, currencies, amounts } = await client.service.config();
  if (!sandbox) {
    throw wrongUsage('Set both --buyer and --seller: users are created only on a server with the sandbox.');
  }
  // Whatever the order would be refused for is checked before a user is created and credited.
  if (currency !== undefined && !currencies.includes(currency)) {
    throw wrongUsage(`Unknown currency "${currency}". Known currencies: ${currencies.join(', ')}.`);
  }
  const { min, max } = amounts.order;
  if (unitsOf(amount) < unitsOf(min) || unitsOf(amount) > unitsOf(max)) {
    throw wrongUsage(`The amount of an order must be between ${min} and ${max}, not ${amount}.`);
  }
  for (const named of [options.buyer, options.seller]) if (named !== undefined) await client.users.get(named);
  await checkOrder(run, agreement);
  const tag = randomBytes(3).toString('hex');
  const make = async (role: string): Promise<string> =>
    (await client.users.create({ externalUserId: `${role}-${tag}` })).id;
  const buyerId = options.buyer ?? (await make('buyer'));
  if (options.buyer === undefined) {
    await client.balances.credit(buyerId, { amount, currency, description: 'credit for a test order' });
    out.note(`buyer-${tag} is ${buyerId} and has ${amount}.`);
  }
  return { buyerId, sellerId: options.seller ?? (await make('seller')) };
};

type Stage = {
  readonly name: string;
  isNeeded?(order: Order): boolean;
  take(client: Holdfast, order: Order): Promise<Order>;
};

const TO_FUNDED: readonly Stage[] = [
  { name: 'reserved', take: (client, { id }) => client.orders.reserve(id) },
  { name: 'escrow created', take: (client, { id }) => client.orders.createEscrow(id) },
  { name: 'funded', take: (client, { id }) => client.orders.fundEscrow(id) },
];

const TO_RELEASED: readonly Stage[] = [
  {
    name: 'milestones completed',
    isNeeded: ({ milestones }) => milestones.length > 0,
    async take(client, order) {
      let last = order;
      for (const { ref } of order.milestones) last = await client.orders.completeMilestone(order.id, ref);
      return last;
    },
  },
  { name: 'released', take: (client, { id }) => client.orders.release(id) },
];

export const addOrderRun = (orders: Command): void => {
  orderOptions(
    define(orders, {
      name: 'run',
      ids: true,
      what: 'create an order and fund its escrow, and with --release pay the seller',
      examples: [
        'holdfast orders run --amount 20.00 --release',
        'holdfast orders run --buyer usr_01J… --seller usr_01K… --milestone "draft:40.00:The first draft"',
      ],
    }),
  )
    .option('--buyer <userId>', 'the buyer; created on a server with the sandbox')
    .option('--seller <userId>', 'the seller; created on a server with the sandbox')
    .option('--release', 'also complete the milestones and pay the seller')
    .action(
      action<RunOptions>(async (run) => {
        const { client, out, options } = run;
        const agreement = agreementOf(options);
        const sides = await sidesOf(run, agreement);
        let order = await client.orders.create({ ...sides, ...agreement });
        out.note(`${out.notePaint.green('✓')} created: ${order.id}`);
        for (const { name, isNeeded, take } of [...TO_FUNDED, ...(options.release ? TO_RELEASED : [])]) {
          if (isNeeded?.(order) === false) continue;
          order = await take(client, order);
          out.note(`${out.notePaint.green('✓')} ${name}: ${order.status}`);
        }
        if (out.isJson) return out.json(order);
        out.note('');
        showOrder(out, order);
        out.note(out.notePaint.dim(`\nTimeline: holdfast orders show ${order.id}`));
      }),
    );
};
