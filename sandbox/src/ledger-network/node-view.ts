// What the node behind one read knows. A public address of the ledger stands for several nodes: under the faults of `node` a read is
// answered by one that lags, and that shows no transaction, number, balance or ledger of the last minutes. Submissions always reach the
// network.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import { NODE_FAULTS } from '../faults-table.ts';
import { currentLedger, ledgerAt } from './ledgers.ts';
import type { Account, Operation, Store, Transaction } from './store.ts';

type NodeView = {
  nowMs: number;
  latestLedger: number;
  account(address: string): Account | undefined;
  find(hash: string): Transaction | undefined;
  operation(id: string): Operation | undefined;
  // Ids of operations and hashes of transactions, oldest first.
  paymentsOf(address: string): readonly string[];
  allPayments(): readonly string[];
  historyOf(address: string): readonly string[];
};

type Tools = { app: FastifyInstance; clock: Clock; faults: Faults; store: Store };

const LAG_MS = 5 * 60_000;

const wholeView = (store: Store, nowMs: number): NodeView => ({
  nowMs,
  latestLedger: currentLedger(store, nowMs),
  account: (address) => store.accounts.get(address),
  find: store.find,
  operation: (id) => store.operations.get(id),
  paymentsOf: (address) => store.payments.get(address) ?? [],
  allPayments: () => store.allPayments,
  historyOf: (address) => store.history.get(address) ?? [],
});

function laggingView(store: Store, untilMs: number): NodeView {
  const whole = wholeView(store, untilMs);
  const seen = <T extends { at: number }>(one: T | undefined) => (one && one.at <= untilMs ? one : undefined);
  const isPaid = (id: string) => seen(store.operations.get(id)) !== undefined;
  return {
    ...whole,
    latestLedger: ledgerAt(store, untilMs),
    account: (address) => store.accountAt(address, untilMs),
    find: (hash) => seen(store.find(hash)),
    operation: (id) => seen(store.operations.get(id)),
    paymentsOf: (address) => whole.paymentsOf(address).filter(isPaid),
    allPayments: () => store.allPayments.filter(isPaid),
    historyOf: (address) => whole.historyOf(address).filter((hash) => seen(store.transactions.get(hash)) !== undefined),
  };
}

export type ViewOf = (request: FastifyRequest) => NodeView;

// One view per request. A fault may name a read by any part of its path: an address, a hash, `accounts`, `transactions`, `ledgers`.
export function openViews({ app, clock, faults, store }: Tools): ViewOf {
  const views = new WeakMap<FastifyRequest, NodeView>();
  let reads = 0;

  const lagOf = (request: FastifyRequest): number | null => {
    const parts = request.url.split('?')[0]!.split('/').filter(Boolean);
    const call = { operation: 'node', ids: parts } as const;
    if (faults.list().some(({ fault }) => fault === 'alternating')) reads++;
    // About every second read, without a period that could fit the order in which a program reads (the Thue-Morse sequence).
    const isTurnOfLagging = reads.toString(2).replaceAll('0', '').length % 2 === 1;
    const of = NODE_FAULTS.filter((name) => name === 'lagging' || isTurnOfLagging);
    const fault = request.method === 'GET' ? faults.strike({ ...call, of }) : null;
    return fault === null ? null : (fault.delayMs ?? LAG_MS);
  };

  const viewOf: ViewOf = (request) => {
    const known = views.get(request);
    if (known !== undefined) return known;
    const lag = lagOf(request);
    const nowMs = clock.now();
    const view = lag === null ? wholeView(store, nowMs) : laggingView(store, nowMs - lag);
    views.set(request, view);
    return view;
  };

  // Like the real servers, which name the newest ledger that an answer is consistent with.
  app.addHook('onSend', async (request, reply) => {
    reply.header('latest-ledger', String(viewOf(request).latestLedger));
  });
  return viewOf;
}
