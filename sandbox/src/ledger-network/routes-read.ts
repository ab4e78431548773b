// The read routes of the ledger: the root, accounts, their pages, transactions, operations, ledgers, fees.

import { StrKey } from '@stellar/stellar-sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../faults.ts';
import { CALL_FAULTS, type Operation as FaultyOperation } from '../faults-table.ts';
import { answerUnder } from '../http-misbehave.ts';
import type { LedgerConfig } from '../sandbox-config.ts';
import type { SimulatorTools } from '../simulator.ts';
import { currentLedger } from './ledgers.ts';
import { type PageQuery, pickPage, presentPage, readPage } from './pages.ts';
import { iso, presentAccount, presentLedger, presentOperation, presentTransaction } from './present.ts';
import { badRequest, notFound, refused } from './problems.ts';
import type { Store, Transaction } from './store.ts';

type Tools = SimulatorTools<LedgerConfig> & { store: Store };
type Id = { Params: { id: string }; Querystring: PageQuery };
type Hash = { Params: { hash: string }; Querystring: PageQuery };

const NEWEST = String(2n ** 63n - 1n);

type Read = {
  operation: FaultyOperation;
  ids: string[];
  /** The faults that can strike this answer; all of them when left out. */
  of?: Fault['fault'][];
  act: (fault: Fault | null) => unknown;
};

export function readRoutes(tools: Tools): void {
  networkRoutes(tools);
  accountRoutes(tools);
  transactionRoutes(tools);
  ledgerRoutes(tools);
}

/** Answers a read, or shows the fault that is armed for it. */
function answerRead({ faults, flush }: Tools, { reply, ...read }: Read & { reply: FastifyReply }) {
  const { operation, ids, of = [...CALL_FAULTS], act } = read;
  const refuse = () => {
    throw refused();
  };
  return answerUnder({ reply, fault: faults.strike({ operation, ids, of }), flush, refuse, act });
}

function networkRoutes({ app, clock, config, store, url }: Tools): void {
  app.get('/', () => {
    const latest = currentLedger(store, clock.now());
    return {
      _links: { self: { href: url() }, friendbot: { href: `${url()}/friendbot{?addr}`, templated: true } },
      horizon_version: 'sandbox',
      core_version: 'sandbox',
      ingest_latest_ledger: latest,
      history_latest_ledger: latest,
      history_latest_ledger_closed_at: iso(clock.now()),
      history_elder_ledger: 1,
      core_latest_ledger: latest,
      network_passphrase: config.passphrase,
      current_protocol_version: 23,
      supported_protocol_version: 23,
      core_supported_protocol_version: 23,
    };
  });

  app.get('/fee_stats', () => {
    const fee = String(config.baseFee);
    const spread = Object.fromEntries(
      ['max', 'min', 'mode', 'p10', 'p20', 'p30', 'p40', 'p50', 'p60', 'p70', 'p80', 'p90', 'p95', 'p99'].map(
        (name) => [name, fee],
      ),
    );
    return {
      last_ledger: String(currentLedger(store, clock.now())),
      last_ledger_base_fee: fee,
      ledger_capacity_usage: '0.01',
      fee_charged: spread,
      max_fee: spread,
    };
  });
}

function accountRoutes(tools: Tools): void {
  const { app, store, url } = tools;
  function account({ params: { id } }: FastifyRequest<Id>) {
    if (!StrKey.isValidEd25519PublicKey(id)) throw badRequest('account_id', 'Account ID must start with `G`');
    const found = store.accounts.get(id);
    if (found === undefined) throw notFound();
    return found;
  }
  app.get<Id>('/accounts/:id', (request, reply) => {
    const act = (fault: Fault | null) => presentAccount(account(request), { url: url(), wrong: isWrong(fault) });
    return answerRead(tools, { reply, operation: 'account', ids: [request.params.id], act });
  });

  app.get<Id>('/accounts/:id/payments', (request, reply) => {
    const act = (fault: Fault | null) => {
      const { address } = account(request);
      const page = readPage(request.query, NEWEST);
      const ids = pickPage(store.payments.get(address) ?? [], { page, token: (id) => id });
      const records = ids.map((id) =>
        presentOperation(store.operations.get(id)!, { url: url(), wrong: isWrong(fault) }),
      );
      return presentPage(records, { url: `${url()}/accounts/${address}/payments`, page });
    };
    return answerRead(tools, { reply, operation: 'account', ids: [request.params.id], act });
  });

  app.get<Id>('/accounts/:id/transactions', (request, reply) => {
    const act = () => {
      const { address } = account(request);
      const page = readPage(request.query, NEWEST);
      const all = store.history.get(address) ?? [];
      const picked = pickPage(all, { page, token: (hash) => store.transactions.get(hash)!.id });
      const records = picked.map((hash) => presentTransaction(store.transactions.get(hash)!, url()));
      return presentPage(records, { url: `${url()}/accounts/${address}/transactions`, page });
    };
    return answerRead(tools, { reply, operation: 'account', ids: [request.params.id], act, of: WITHOUT_AMOUNT });
  });
}

function transactionRoutes(tools: Tools): void {
  const { app, store, url } = tools;
  function transaction({ params: { hash } }: FastifyRequest<Hash>): Transaction {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw badRequest('tx_id', 'a hash has 64 lower-case hexadecimal digits');
    const found = store.find(hash);
    if (found === undefined) throw notFound();
    return found;
  }
  app.get<Hash>('/transactions/:hash', (request, reply) => {
    const act = () => presentTransaction(transaction(request), url());
    return answerRead(tools, {
      reply,
      operation: 'transaction-get',
      ids: [request.params.hash],
      act,
      of: WITHOUT_AMOUNT,
    });
  });

  app.get<Hash>('/transactions/:hash/operations', (request, reply) => {
    const act = (fault: Fault | null) => {
      const { hash, operations } = transaction(request);
      const page = readPage(request.query, NEWEST);
      const ids = pickPage(operations, { page, token: (id) => id });
      const records = ids.map((id) =>
        presentOperation(store.operations.get(id)!, { url: url(), wrong: isWrong(fault) }),
      );
      return presentPage(records, { url: `${url()}/transactions/${hash}/operations`, page });
    };
    return answerRead(tools, { reply, operation: 'transaction-get', ids: [request.params.hash], act });
  });

  app.get<Id>('/operations/:id', (request) => {
    const operation = store.operations.get(request.params.id);
    if (operation === undefined) throw notFound();
    return presentOperation(operation, { url: url(), wrong: false });
  });
}

function ledgerRoutes({ app, clock, config, store, url }: Tools): void {
  const setting = () => ({ store, url: url(), passphrase: config.passphrase, baseFee: config.baseFee });
  app.get<{ Querystring: PageQuery }>('/ledgers', (request) => {
    const latest = currentLedger(store, clock.now());
    const page = readPage(request.query, NEWEST);
    const from = page.cursor === null ? null : Number(page.cursor >> 32n);
    const first = page.descending ? Math.min((from ?? latest + 1) - 1, latest) : (from ?? 0) + 1;
    const numbers = Array.from({ length: page.limit }, (_, step) => (page.descending ? first - step : first + step));
    const records = numbers.filter((n) => n >= 1 && n <= latest).map((number) => presentLedger(number, setting()));
    return presentPage(records, { url: `${url()}/ledgers`, page });
  });
  app.get<Id>('/ledgers/:id', (request) => {
    const number = Number(request.params.id);
    if (!(number >= 1 && number <= currentLedger(store, clock.now()))) throw notFound();
    return presentLedger(number, setting());
  });
}
// These answers contain no amount, so the wrong-amount fault waits for one that does.
const WITHOUT_AMOUNT = CALL_FAULTS.filter((fault) => fault !== 'wrong-amount');

const isWrong = (fault: Fault | null) => fault?.fault === 'wrong-amount';
