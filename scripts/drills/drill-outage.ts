// Drill: no outside system answers for a minute while orders are at every step. Nothing is rolled back on a guess, balances
// go on, and when they answer again every order comes to its end by itself.

import { randomUUID } from 'node:crypto';
import { Holdfast, HoldfastError, type Order } from '@holdfast/sdk';
import { freePort, runService } from './server.ts';
import { type Drill, forSeconds, type Stage, until } from './stage.ts';

const BUYERS = 8;
const AMOUNT = '10.00';
/** Less the platform's 5 percent. */
const SELLER_CENTS_EACH = 950n;
const OUTAGE = ['deploy', 'fund', 'change-status', 'approve', 'release', 'send-transaction', 'get-escrow'] as const;
const LEDGER_OUTAGE = ['account', 'payment', 'transaction-get'] as const;
const COUNT = 1_000;
const AGAIN_S = 0.1;

const centsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

type Life = { orderId: string; order: Order; refusals: Map<string, number> };

/** What brings an order on from here; null where only waiting does. */
const nextOf = (client: Holdfast, { id, status, escrow }: Order): (() => Promise<Order>) | null => {
  if (status === 'ORDER_CREATED') return () => client.orders.reserve(id);
  if (status === 'FUNDS_RESERVED') return () => client.orders.createEscrow(id);
  if (status === 'ESCROW_FUNDING' && escrow?.status === 'CREATED') return () => client.orders.fundEscrow(id);
  if (status === 'IN_PROGRESS') return () => client.orders.release(id, { reason: 'drill' });
  return null;
};

const live = async (client: Holdfast, life: Life): Promise<void> => {
  while (life.order.status !== 'CLOSED') {
    try {
      life.order = await client.orders.get(life.orderId);
      const next = nextOf(client, life.order);
      if (next === null) await forSeconds(AGAIN_S);
      else life.order = await next();
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      // Unknown, busy, or decided by somebody else meanwhile: the order itself says what is next.
      const told = error.status === 500 ? `${error.code} (${error.message})` : error.code;
      life.refusals.set(told, (life.refusals.get(told) ?? 0) + 1);
      await forSeconds(AGAIN_S);
    }
  }
};

const newLife = async (client: Holdfast, of: { buyerId: string; sellerId: string }): Promise<Life> => {
  const order = await client.orders.create({ ...of, amount: AMOUNT, clientOrderRef: randomUUID() });
  return { orderId: order.id, order, refusals: new Map() };
};

const openMarket = async (stage: Stage) => {
  const env = {
    ...{ SANDBOX: 'on', SANDBOX_PORT: String(await freePort()), ESCROW_PROVIDER_RATE_PER_MINUTE: '0' },
    ...{ PROVIDER_TIMEOUT_MS: '2000', OPERATION_WAIT_MS: '3000' },
  };
  const service = await runService(stage, { dataDir: await stage.folder(), env });
  const client = new Holdfast({ url: service.url, apiKey: service.masterKey, maxRetries: 0 });
  const people = await Promise.all(
    Array.from({ length: BUYERS + 1 }, (_, n) => client.users.create({ externalUserId: `person-${n}` })),
  );
  const [seller, ...buyers] = people.map(({ id }) => id);
  for (const id of buyers) await client.balances.credit(id, { amount: '1000.00' });
  return { service, client, sellerId: seller!, buyers };
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const { service, client, sellerId, buyers } = await openMarket(stage);
  const lives: Life[] = [];
  let opening = true;
  const keepOpening = async (buyerId: string): Promise<void> => {
    while (opening) {
      const life = await newLife(client, { buyerId, sellerId });
      lives.push(life);
      await live(client, life);
    }
  };
  const working = Promise.all(buyers.map(keepOpening));
  working.catch(() => {});
  const closed = (): number => lives.filter(({ order }) => order.status === 'CLOSED').length;
  await until(() => closed() >= BUYERS, 'the first orders were closed');

  stage.say(`${closed()} orders closed; from now on no outside system answers for ${seconds} s`);
  for (const operation of [...OUTAGE, ...LEDGER_OUTAGE]) {
    await client.sandbox.armFault({ operation, fault: 'outage', count: COUNT });
  }
  const before = closed();
  const end = performance.now() + seconds * 1_000;
  let credits = 0;
  while (performance.now() < end) {
    await client.balances.credit(buyers[0]!, { amount: '0.01' });
    credits++;
    await forSeconds(AGAIN_S);
  }
  const during = closed() - before;
  stage.found('balances go on while the outside systems are away', {
    holds: credits > 0,
    detail: `${credits} credits`,
  });
  await client.sandbox.clearFaults();
  opening = false;
  stage.say(`They answer again; ${lives.length - closed()} orders are under way`);
  const backAt = performance.now();
  await working;
  const tookMs = Math.round(performance.now() - backAt);

  const refusals = new Map<string, number>();
  for (const life of lives) {
    for (const [code, count] of life.refusals) refusals.set(code, (refusals.get(code) ?? 0) + count);
  }
  const told = [...refusals].map(([code, count]) => `${count} ${code}`).join(', ') || 'nothing';
  const mistakes = [...refusals.keys()].filter((code) => code.startsWith('INTERNAL_ERROR'));
  stage.found('nothing was undone on a guess', {
    holds: mistakes.length === 0,
    detail: mistakes.join(' ') || 'no operation was given up',
  });
  stage.found('every order came to its end by itself', {
    holds: lives.every(({ order }) => order.finalStatus === 'RELEASED'),
    detail: `${lives.length} released, ${during} of them meanwhile, the last ${tookMs} ms after; callers saw ${told}`,
  });
  const { available } = await client.balances.get(sellerId);
  stage.found('the seller was paid for each order once', {
    holds: centsOf(available) === SELLER_CENTS_EACH * BigInt(lives.length),
    detail: `${available} for ${lives.length} orders`,
  });
  const proof = await client.audit.proof();
  stage.found('the proof holds', {
    holds: proof.holds,
    detail: proof.checks.map(({ name, holds }) => `${name}: ${holds ? 'yes' : 'NO'}`).join(', '),
  });
  const { holds } = await client.audit.verify();
  stage.found('the audit chain holds', { holds, detail: `${service.exits.length} restarts` });
};

export const outage: Drill = {
  name: 'outage',
  about: 'no outside system answers for a minute while orders are at every step',
  seconds: 60,
  play,
};
