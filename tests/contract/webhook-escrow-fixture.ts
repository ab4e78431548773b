// A server that shares a secret with the escrow provider, orders in it, and what the provider and others do: deliver
// events, signed or not, and act on the contracts with the parties' own keys, without the server's knowledge.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { systemClock } from '../../server/src/base/instant.ts';
import { ZERO } from '../../server/src/books/money.ts';
import { createCommitter } from '../../server/src/commit/committer.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { openSecret } from '../../server/src/ledger/keys/seal.ts';
import { createLedgerTransactionReads } from '../../server/src/ledger/transactions/queries.ts';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { createBreaks } from '../../server/src/modules/reconciliation/breaks.ts';
import { createEscrowEvents, type EscrowWebhook } from '../../server/src/modules/webhooks/escrow-events.ts';
import { createEventAlerts } from '../../server/src/modules/webhooks/event-alerts.ts';
import { createLedgerCheck } from '../../server/src/modules/webhooks/judge-escrow-event.ts';
import { createEscrowPoll } from '../../server/src/modules/webhooks/poll-escrows.ts';
import { createEscrowReads } from '../../server/src/modules/webhooks/queries.ts';
import { retryEscrowEvents } from '../../server/src/modules/webhooks/retry-events.ts';
import { openLane, openPool } from '../../server/src/postgres/connection.ts';
import type { EscrowStep } from '../../server/src/providers/ports.ts';
import { openProviders, type Providers } from '../../server/src/providers/providers.ts';
import { ORDER_TABLES, TABLES } from '../../server/src/registry.ts';
import { exactUnits } from '../../tools/decimals.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { type OrderFixture, ordersIn } from '../support/order-fixture.ts';
import { ESCROW_SECRET, openApp } from '../support/shared-app.ts';

const KEKS = [{ version: 1, key: Buffer.alloc(32, 7) }];

// biome-ignore lint/suspicious/noExplicitAny: answers and rows are read like JavaScript would
export type Any = any;

export type Told = {
  readonly type: string;
  readonly data?: Record<string, unknown> | null;
  readonly eventId?: string;
  readonly signed?: boolean;
};

export type WebhookFixture = ReturnType<typeof webhooksIn>;

type Party = 'buyer' | 'seller' | 'platform';

let made = 0;

const SETTINGS = { ESCROW_WEBHOOK_SECRET: ESCROW_SECRET, DEPOSIT_POLL_S: '3600', HINTS_PER_MINUTE: '10000' };

/** A server of its own: for a test that closes it, or that needs other settings. */
export const openWebhooks = (t: Hooks, env: Record<string, string> = {}) => openRecordedWebhooks(t, { env });

type Recorded = Pick<NonNullable<Parameters<typeof startApp>[1]>, 'env' | 'through'>;

/** A server of its own, and its requests to the providers. */
export const openRecordedWebhooks = async (t: Hooks, { env, ...options }: Recorded) =>
  webhooksIn(t, ordersIn(await startApp(t, { sandbox: true, env: { ...SETTINGS, ...env }, ...options })));

/** A marketplace in the server that the tests of the process share. A fault has to name its order. */
export const openSharedWebhooks = async (t: Hooks) => webhooksIn(t, ordersIn(await openApp(t, { sandbox: true })));

/** In a server that the caller has started. */
export const webhooksIn = (t: Hooks, fixture: OrderFixture) => {
  const { app } = fixture;
  const read = readConfig({});
  if (!read.ok) throw new Error(read.problems.join(' '));
  const providers = openProviders(read.config, { sandboxUrl: app.sandboxUrl });

  const send = (body: string, headers: Record<string, string> = {}) =>
    app.call('POST /webhooks/escrow-provider', { key: null, body, headers });

  /** Ids of events are unique in the whole database. */
  const idOf = (eventId: string): string => `${app.marketplaceId}-${eventId}`;

  /** Whether the server says that it has processed it; the answer is 200 either way. */
  const deliver = async ({ type, data = {}, eventId, signed = true }: Told): Promise<boolean> => {
    const body = JSON.stringify({ type, event_id: idOf(eventId ?? `event-${++made}`), data });
    const signature = createHmac('sha256', ESCROW_SECRET).update(body).digest('hex');
    const answer = await send(body, signed ? { 'x-escrow-signature': signature } : {});
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.text, /^\{"status":"ok","processed":(true|false)\}$/);
    return answer.body.processed;
  };

  const eventRow = async (eventId: string): Promise<Any> =>
    (await app.sql(`select * from webhook_events where id = $1`, [`escrow-provider:${idOf(eventId)}`]))[0];

  /** The hash of a call that the server has made for the order. */
  const hashOf = async (orderId: string, call: string): Promise<string> => {
    const [row] = await app.sql('select id from ledger_transactions where actions @> $1::jsonb', [
      JSON.stringify([{ orderId, call }]),
    ]);
    return row.id;
  };

  return {
    ...fixture,
    send,
    deliver,
    storedId: (eventId: string): string => `escrow-provider:${idOf(eventId)}`,
    eventRow,
    escrowRow: escrowRowsOf(app),
    hashOf,
    ...outsideOf(fixture, providers),
    openEars: (clock = systemClock, check: Check = 'signature') => openEars(t, { app, providers, clock, check }),
    audited: async (action: string): Promise<Any[]> =>
      app.sql('select * from audit_entries where action = $1 and marketplace_id = $2 order by seq', [
        action,
        app.marketplaceId,
      ]),
  };
};

const escrowRowsOf =
  (app: TestApp) =>
  async (orderId: string): Promise<Any> =>
    (await app.sql('select * from escrows where order_id = $1 and not set_aside', [orderId]))[0];

/** Calls of the order's contract and payments to it that the server does not know of. */
const outsideOf = ({ app, simulator }: OrderFixture, providers: Providers) => {
  const provider = providers.escrow!;
  const network = providers.network!;
  const escrowRow = escrowRowsOf(app);

  const keyOf = async ({ walletId, address }: { walletId: string; address: string }): Promise<Keypair> => {
    const [row] = await app.sql('select marketplace_id, sealed_secret from wallets where id = $1', [walletId]);
    const place = { marketplaceId: row.marketplace_id, walletId, address };
    return Keypair.fromRawEd25519Seed(await openSecret(keepKeks(KEKS), { sealed: row.sealed_secret, place }));
  };

  /** A wallet that has not paid through the server yet has nothing for fees. */
  const payFees = async (address: string): Promise<void> => {
    const account = await network.account(address);
    const xlm = account.kind === 'yes' ? account.value?.balances.find(({ asset }) => asset.issuer === null) : undefined;
    if (xlm?.amount !== ZERO) return;
    await simulator('POST /faucet', { address, asset: 'XLM', amount: '1.50' });
  };

  /** One call of the order's contract that the server knows nothing of; answers the transaction's hash. */
  const act = async (orderId: string, by: Party, step: object): Promise<string> => {
    const escrow = await escrowRow(orderId);
    await payFees(escrow[by].address);
    const at = { type: escrow.contract_type, contractId: escrow.provider_contract_id, signer: escrow[by].address };
    const prepared = await provider.prepare({ ...at, ...step } as EscrowStep);
    assert.equal(prepared.kind, 'yes', JSON.stringify(prepared));
    if (prepared.kind !== 'yes') throw new Error('unreachable');
    const transaction = TransactionBuilder.fromXDR(prepared.value.unsignedTransaction, network.passphrase);
    transaction.sign(await keyOf(escrow[by]));
    const sent = await provider.submit(transaction.toXDR());
    assert.equal(sent.kind, 'yes', JSON.stringify(sent));
    return Buffer.from(transaction.hash()).toString('hex');
  };

  /** Marks, approves and releases all of it. */
  const releaseOutside = async (order: Any): Promise<string> => {
    const places = order.milestones.length > 1 ? order.milestones.map((_: Any, place: number) => place) : [0];
    let hash = '';
    for (const milestone of places) {
      await act(order.id, 'seller', { kind: 'change-status', milestone, status: 'done' });
      await act(order.id, 'buyer', { kind: 'approve', milestone });
      if (order.milestones.length > 1) hash = await act(order.id, 'buyer', { kind: 'release', milestone });
    }
    return hash || act(order.id, 'buyer', { kind: 'release' });
  };

  /** Disputes a single-release contract and gives the buyer, or the seller, all of it. */
  const resolveOutside = async (order: Any, to: 'buyer' | 'seller'): Promise<string> => {
    const escrow = await escrowRow(order.id);
    await act(order.id, 'buyer', { kind: 'dispute' });
    const shares = [{ address: escrow[to].address, amount: BigInt(escrow.amount) }];
    return act(order.id, 'platform', { kind: 'resolve', shares });
  };

  /** An outsider pays the order's amount into its contract. */
  const payIn = async (order: Any, amount = order.amount): Promise<string> => {
    const paid = await simulator('POST /faucet', {
      address: order.escrow.providerContractId,
      asset: 'USDC',
      amount,
    });
    return paid.hash;
  };

  return { act, releaseOutside, resolveOutside, payIn };
};

type Check = 'signature' | 'verify';

type Listening = {
  readonly app: TestApp;
  readonly providers: Providers;
  readonly clock: typeof systemClock;
  readonly check: Check;
};

/** The code that receives webhooks and polls escrows, in another process with a clock of its own. */
const openEars = (t: Hooks, { app, providers, clock, check }: Listening) => {
  const pool = openPool(app.connection, { max: 2, onError() {} });
  const committer = createCommitter({
    tables: TABLES,
    connect: () => openLane(app.connection),
    clock: systemClock,
    lanes: 1,
    groupMax: 64,
    queueMax: 512,
    patienceMs: 10_000,
    onEvents() {},
    onTrouble() {},
  });
  afterwards(t, async () => {
    await committer.close();
    await pool.end();
  });
  const reads = createEscrowReads(pool);
  const troubles: unknown[] = [];
  const outside = { escrow: providers.escrow, network: providers.network! };
  const findOrder = createOrderReads(pool, ORDER_TABLES).find;
  const findTransaction = createLedgerTransactionReads(pool).find;
  const onTrouble = (_message: string, error: unknown): void => void troubles.push(error);
  const warnings: string[] = [];
  const log = { error() {}, warn: (_details: unknown, message?: string): void => void warnings.push(message ?? '') };
  const alerts = createEventAlerts({ breaks: createBreaks(pool), log });
  const events = createEscrowEvents({
    submit: committer.submit,
    reads,
    ofChecks: outside,
    ofHints: outside,
    mayCheckHint: async () => true,
    usdc: providers.asset,
    findOrder,
    findTransaction,
    check,
    alerts,
  });
  const poll = createEscrowPoll({
    submit: committer.submit,
    escrow: providers.escrow!,
    clock,
    isOnLedger: createLedgerCheck({ check, findOrder, findTransaction, providers, outside }),
    findOrder,
    isHalfDone: reads.isHalfDone,
    onTrouble,
  });
  /** Of this marketplace only: other tests have kept events too. */
  const listKept: typeof reads.listKept = async (limit, now) =>
    (await reads.listKept(10 * limit, now)).filter(({ marketplaceId }) => marketplaceId === app.marketplaceId);
  const retryKept = (): Promise<void> =>
    retryEscrowEvents({ reads: { listKept }, events, alerts, clock, onTrouble }).run();
  /** The open escrows of this marketplace. */
  const listOpen = async () =>
    (await reads.listOpen(null, 10_000)).filter(({ marketplaceId }) => marketplaceId === app.marketplaceId);
  const lookAt = async (...orders: { id: string }[]): Promise<boolean> => {
    const ids = orders.map(({ id }) => id);
    return poll((await listOpen()).filter(({ escrow }) => ids.includes(escrow.orderId)));
  };
  /** An event as the route would hand it over, for when the server itself is gone. */
  const hear = async (type: string, data: Partial<EscrowWebhook>): Promise<boolean> => {
    const nothing = { contractId: null, amount: null, currency: null, buyerAddress: null, sellerAddress: null };
    const more = { milestoneRef: null, transactionHash: null, orderId: null, signed: false, requestId: 'request-1' };
    return (await events.receive({ ...nothing, ...more, eventId: `heard-${++made}`, type, ...data })).processed;
  };
  return { hear, listOpen, listKept: reads.listKept, troubles, warnings, lookAt, retryKept, submit: committer.submit };
};

/** An amount as the provider's webhooks write it. */
export const units = (amount: string): string => String(exactUnits(amount));

/** Everything that an event of this order may say of itself, and truly. */
export const dataOf = (order: Any, escrow: Any): Record<string, unknown> => ({
  contract_id: order.escrow.providerContractId,
  order_id: order.id,
  status: 'as the provider calls it',
  amount: units(order.amount),
  currency: 'USDC',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: null,
  buyer_address: escrow.buyer.address,
  seller_address: escrow.seller.address,
});
