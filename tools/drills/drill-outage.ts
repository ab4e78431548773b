// Drill: no outside system answers for a minute while orders are at every step. Nothing is rolled back on a guess, balances
// go on, and when they answer again every order comes to its end by itself.

import { Holdfast } from '@holdfast/sdk';
import {
  AGAIN_S,
  liveOrder,
  mistakesIn,
  newOrderLife,
  type OrderLife,
  type Refusals,
  SELLER_CENTS,
  showRefusals,
} from './order-scenarios.ts';
import { freePort, runService } from './server.ts';
import { type Drill, forSeconds, type Stage, until } from './stage.ts';

const BUYERS = 8;
const OUTAGE = ['deploy', 'fund', 'change-status', 'approve', 'release', 'send-transaction', 'get-escrow'] as const;
const LEDGER_OUTAGE = ['account', 'payment', 'transaction-get', 'payments-get'] as const;
const COUNT = 1_000;

const centsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

const openMarket = async (stage: Stage) => {
  const env = {
    SANDBOX: 'on',
    SANDBOX_PORT: String(await freePort()),
    ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
    LEDGER_RATE_PER_MINUTE: '0',
    PROVIDER_TIMEOUT_MS: '2000',
    OPERATION_WAIT_MS: '3000',
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
  const lives: OrderLife[] = [];
  let opening = true;
  const keepOpening = async (buyerId: string): Promise<void> => {
    while (opening) {
      const life = await newOrderLife(client, { buyerId, sellerId });
      lives.push(life);
      await liveOrder(client, life);
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
  stage.found('balances can be changed while the outside systems do not answer', {
    holds: credits > 0,
    detail: `${credits} credits`,
  });
  await client.sandbox.clearFaults();
  opening = false;
  stage.say(`The outside systems answer again; ${lives.length - closed()} orders are in progress`);
  const backAt = performance.now();
  await working;
  const tookMs = Math.round(performance.now() - backAt);

  const refusals: Refusals = new Map();
  for (const life of lives) {
    for (const [code, count] of life.refusals) refusals.set(code, (refusals.get(code) ?? 0) + count);
  }
  const mistakes = mistakesIn(refusals);
  stage.found('no operation was undone while its outcome was unknown', {
    holds: mistakes.length === 0,
    detail: mistakes.join(' ') || 'no operation was undone',
  });
  stage.found('every order was completed automatically', {
    holds: lives.every(({ order }) => order.finalStatus === 'RELEASED'),
    detail: `${lives.length} released, ${during} of them during the outage, the last ${tookMs} ms after; callers saw ${showRefusals(refusals)}`,
  });
  const { available } = await client.balances.get(sellerId);
  stage.found('the seller was paid for each order once', {
    holds: centsOf(available) === SELLER_CENTS * BigInt(lives.length),
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
