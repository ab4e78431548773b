// `npm run attack`: one server with a quiet tenant, and one attack after the other beside it. Measured is what the quiet tenant
// notices: undisturbed, during each attack, and undisturbed again. What the attackers got is counted, and what they left behind.

import os from 'node:os';
import path from 'node:path';
import { Holdfast } from '@holdfast/sdk';
import type { Connection } from '../../../server/src/postgres/connection.ts';
import { orInterrupted } from '../../../server/src/programs/interruption.ts';
import { startChild } from '../../measure/child.ts';
import { median } from '../../measure/rounds.ts';
import { retryUntil } from '../../simulation/retry.ts';
import { type Fixture, openFixture } from '../environment.ts';
import type { BystanderAnswer, BystanderOrder } from './bystander.ts';
import type { AttackAnswer } from './clients.ts';
import { fundOrder, runWholeOrder } from './orders.ts';
import { ATTACKS, type AttackName, type AttackOrder } from './requests.ts';

type Options = {
  /** How long each phase is: a time, or requests of the quiet tenant. */
  readonly until: BystanderOrder['until'];
  /** Audit entries of the attacker's own marketplace, which its heavy reads have to go through. */
  readonly entries: number;
  readonly attacks?: readonly AttackName[];
  /** The folder of another version of this project, whose server is attacked instead. */
  readonly tree?: string;
  readonly database?: Connection;
  readonly signal?: AbortSignal;
  say?(line: string): void;
};

/** Rows that hints must not leave behind, in the whole database. */
type Rows = { readonly webhookEvents: number; readonly auditEntries: number };

export type Phase = {
  readonly name: string;
  readonly bystander: BystanderAnswer;
  /** Null while there is no attack. */
  readonly attacker: AttackAnswer | null;
  /** The longest time that the server's event loop was blocked. */
  readonly loopDelayMaxMs: number;
  /** Processors that the server's own process used. */
  readonly serverCores: number;
  /** From the end of the attack until an order takes its usual time again; null where none followed. */
  readonly calmAfterMs: number | null;
};

export type Attacked = {
  readonly phases: readonly Phase[];
  /** What the payment provider was told to pay to the attacker, whose marketplace has received nothing. */
  readonly paidToAttacker: string;
  /** Rows that the hints left in the database. */
  readonly hintRows: Rows;
  readonly proofHolds: boolean;
  readonly postgres: string;
};

/**
 * Limits of requests per key are set with the keys, so that an attacker who has bought a high one is measured. Addresses and everything
 * else have the limits of the settings' own defaults, except the receivers of webhooks: 500 hints a second from many addresses
 * would not meet a limit per address. The escrow provider's rate is sixty times its default, so that it does not slow orders down by itself. The
 * limits of streams are a fortieth of their defaults, so that one process can reach them.
 */
const SETTINGS = {
  RATE_LIMIT_MAX: '100',
  ESCROW_PROVIDER_RATE_PER_MINUTE: '3000',
  PAYMENT_PROVIDER_RATE_PER_SECOND: '10',
  SSE_CONNECTIONS_MAX: '500',
  SSE_CONNECTIONS_PER_MARKETPLACE_MAX: '250',
};

const WITHOUT_LIMIT = 1_000_000;
const USERS = 8;
const FUNDED_ORDERS = 6;
const FILLING_AT_ONCE = 64;
const GRANT = '1000000.00';
const TOPUP = '100000.00';
const TREASURY = { USDC: '5000000.00', XLM: '500000.00' } as const;
/** On Linux every address of 127.0.0.0/8 is this machine. */
const ATTACKER_ADDRESS = os.platform() === 'linux' ? '127.0.0.2' : '127.0.0.1';
/** An order is at its usual speed when it takes at most this many times its median before. */
const USUAL_RATIO = 2;
const CALM_WITHIN_MS = 240_000;

const control = async ({ simulators }: Fixture, way: string, body?: object): Promise<boolean> => {
  const json = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
  const answer = await fetch(`${simulators!.control}${way}`, { method: 'POST', ...json });
  await answer.text();
  return answer.ok;
};

type Opening = { readonly fixture: Fixture; readonly master: Holdfast };

const openMarketplace = async ({ fixture, master }: Opening, marketplaceId: string) => {
  const own = { marketplaceId, rateLimit: WITHOUT_LIMIT };
  const { key } = await master.keys.create({ name: 'all', scopes: ['*'], ...own });
  const { key: readKey } = await master.keys.create({ name: 'reading', scopes: ['read'], ...own });
  return { key, readKey, client: new Holdfast({ url: fixture.url, apiKey: key, timeoutMs: 120_000 }) };
};

const newUser = async (client: Holdfast, name: string): Promise<string> => {
  const { id } = await client.users.create({ externalUserId: name, email: `${name}@shop.example` });
  await client.balances.credit(id, { amount: GRANT, reference: `grant-${name}` });
  return id;
};

/** A quiet tenant with users, a filled treasury, a real deposit at the payment provider, and a few funded orders. */
const prepareBystander = async (opening: Opening) => {
  const { fixture } = opening;
  const { key, client } = await openMarketplace(opening, 'mkt_quiet');
  const users: string[] = [];
  for (let made = 0; made < USERS; made++) users.push(await newUser(client, `quiet-${made}`));
  let address = '';
  await retryUntil(async () => {
    address = (await client.wallets.treasuryDeposit().catch(() => null))?.address ?? '';
    return address !== '';
  }, 'the treasury is made');
  for (const [asset, amount] of Object.entries(TREASURY)) {
    await retryUntil(() => control(fixture, '/faucet', { address, asset, amount }), 'the treasury is filled');
  }
  const { id: topupId } = await client.topups.create({ userId: users[0]!, amount: TOPUP, currency: 'USD' });
  await control(fixture, `/payins/${topupId}/confirm`);
  await retryUntil(async () => (await client.topups.get(topupId)).status === 'TOPUP_SUCCEEDED', 'the top-up is paid');
  const contractIds: string[] = [];
  for (let made = 0; made < FUNDED_ORDERS; made++) contractIds.push((await fundOrder(client, users)).contractId);
  return { key, client, users, contractIds };
};

/** An attacker with a marketplace of its own, and with as many audit entries as are asked for. */
const prepareAttacker = async (opening: Opening, entries: number) => {
  const { key, readKey, client } = await openMarketplace(opening, 'mkt_attacker');
  const userId = await newUser(client, 'attacker');
  let left = entries;
  const fill = async (): Promise<void> => {
    while (left-- > 0) await client.balances.credit(userId, { amount: '0.01', reference: 'filling' });
  };
  await Promise.all(Array.from({ length: FILLING_AT_ONCE }, fill));
  return { key, readKey, userId };
};

/** The hints name contracts of the quiet tenant, whose own requests write audit entries too; so only those of webhooks count. */
const ROWS = `select (select count(*)::int from webhook_events) as "webhookEvents",
  (select count(*)::int from audit_entries where action like 'WEBHOOK%' or actor_id like '%webhook%'
    or actor_type ilike '%webhook%') as "auditEntries"`;

const rowsNow = async ({ pool }: Fixture): Promise<Rows> => (await pool.query<Rows>(ROWS)).rows[0]!;

const PAID = `select coalesce(sum(amount), 0)::text as units from withdrawals
  where marketplace_id = 'mkt_attacker' and status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING',
    'WITHDRAWAL_PENDING_USER_ACTION', 'WITHDRAWAL_COMPLETED')`;

const UNITS_PER_CENT = 100_000n;

const paidToAttacker = async ({ pool }: Fixture): Promise<string> => {
  const { rows } = await pool.query<{ units: string }>(PAID);
  const cents = BigInt(rows[0]!.units) / UNITS_PER_CENT;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
};

type Parties = Awaited<ReturnType<typeof prepareBystander>>;

/** How long it takes until an order takes its usual time again. */
const whenCalm = async ({ client, users }: Parties, usualMs: number): Promise<number> => {
  const begunAt = performance.now();
  for (;;) {
    const orderMs = await runWholeOrder(client, users).catch(() => Number.POSITIVE_INFINITY);
    const elapsedMs = performance.now() - begunAt;
    if (orderMs <= usualMs * USUAL_RATIO) return Math.max(0, elapsedMs - orderMs);
    if (elapsedMs > CALM_WITHIN_MS) return elapsedMs;
  }
};

const openStage = async (cleanUp: AsyncDisposableStack, options: Options) => {
  const fixture = await openFixture(cleanUp, {
    withSandbox: true,
    env: SETTINGS,
    ...(options.database ? { database: options.database } : {}),
    ...(options.tree ? { main: path.resolve(options.tree, 'server/src/main.ts') } : {}),
  });
  const master = new Holdfast({ url: fixture.url, apiKey: fixture.masterKey });
  const opening = { fixture, master };
  const quiet = await prepareBystander(opening);
  const attacker = await prepareAttacker(opening, options.entries);
  const bystanderChild = await startChild(new URL('./bystander.ts', import.meta.url), cleanUp);
  const attackerChild = await startChild(new URL('./clients.ts', import.meta.url), cleanUp);
  const order = (attack: AttackName): AttackOrder => ({
    attack,
    port: Number(new URL(fixture.url).port),
    localAddress: ATTACKER_ADDRESS,
    contractIds: quiet.contractIds,
    ...attacker,
  });
  const living = { url: fixture.url, key: quiet.key, users: quiet.users, until: options.until };
  return {
    fixture,
    quiet,
    connect: () => bystanderChild.ask({ ...living, connecting: true }),
    live: () => bystanderChild.ask<BystanderAnswer>(living),
    begin: (attack: AttackName) => attackerChild.ask(order(attack)),
    end: () => attackerChild.ask<AttackAnswer>({ stop: true }),
  };
};

const run = async (cleanUp: AsyncDisposableStack, options: Options): Promise<Attacked> => {
  const { say = () => {} } = options;
  say('preparing');
  const { fixture, quiet, connect, live, begin, end } = await openStage(cleanUp, options);
  const phases: Phase[] = [];
  const measure = async (name: string, attack: AttackName | null): Promise<Phase> => {
    say(name);
    const before = await fixture.server.ask({ collect: true });
    const begunAt = performance.now();
    await connect();
    if (attack) await begin(attack);
    const bystander = await live();
    const attacker = attack ? await end() : null;
    const { delayMaxMs: loopDelayMaxMs, cpuMs } = await fixture.server.ask({ collect: false });
    const serverCores = (cpuMs - before.cpuMs) / (performance.now() - begunAt);
    const usualMs = median(phases[0]?.bystander.ordersMs ?? bystander.ordersMs);
    const calmAfterMs = attack ? await whenCalm(quiet, usualMs) : null;
    return { name, bystander, attacker, loopDelayMaxMs, serverCores, calmAfterMs };
  };

  // The first time warms the server up and is not shown.
  await live();
  phases.push(await measure('undisturbed', null));
  let hintRows: Rows = { webhookEvents: 0, auditEntries: 0 };
  for (const attack of options.attacks ?? ATTACKS) {
    const before = await rowsNow(fixture);
    phases.push(await measure(attack, attack));
    const after = await rowsNow(fixture);
    if (attack !== 'hints') continue;
    const webhookEvents = after.webhookEvents - before.webhookEvents;
    hintRows = { webhookEvents, auditEntries: after.auditEntries - before.auditEntries };
  }
  phases.push(await measure('undisturbed again', null));
  const { holds } = await quiet.client.audit.proof();
  const { rows } = await fixture.pool.query<{ server_version: string }>('show server_version');
  return {
    phases,
    hintRows,
    paidToAttacker: await paidToAttacker(fixture),
    proofHolds: holds,
    postgres: rows[0]!.server_version.split(' ')[0]!,
  };
};

export const runAttack = async (options: Options): Promise<Attacked> => {
  await using cleanUp = new AsyncDisposableStack();
  return await orInterrupted(run(cleanUp, options), options.signal);
};
