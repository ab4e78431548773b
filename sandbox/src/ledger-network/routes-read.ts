// The read routes of the ledger: the root, accounts, their pages, transactions, operations, ledgers, fees.

import { StrKey } from '@stellar/stellar-sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../faults.ts';
import { CALL_FAULTS, type Operation as FaultyOperation, OPERATIONS } from '../faults-table.ts';
import { answerUnder } from '../http-misbehave.ts';
import type { Fees } from '../network-fees.ts';
import type { LedgerConfig } from '../sandbox-config.ts';
import type { SimulatorTools } from '../simulator.ts';
import { MEMO_REQUIRED, MEMO_REQUIRED_VALUE } from './data-entries.ts';
import type { ViewOf } from './node-view.ts';
import { type PageQuery, pickPage, presentPage, readPage } from './pages.ts';
import { iso, presentAccount, presentLedger, presentOperation, presentTransaction } from './present.ts';
import { badRequest, notFound, refused } from './problems.ts';
import type { Account, Store, Transaction } from './store.ts';

export type ReadTools = SimulatorTools<LedgerConfig> & { store: Store; fees: Fees; viewOf: ViewOf };
type Tools = ReadTools;
type Id = { Params: { id: string }; Querystring: PageQuery };
type Hash = { Params: { hash: string }; Querystring: PageQuery & { join?: string } };

export const NEWEST = String(2n ** 63n - 1n);

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
export function answerRead({ faults, flush }: Tools, { reply, ...read }: Read & { reply: FastifyReply }) {
  const { operation, ids, of = [...CALL_FAULTS], act } = read;
  const refuse = () => {
    throw refused();
  };
  return answerUnder({ reply, fault: faults.strike({ operation, ids, of }), flush, refuse, act });
}

function networkRoutes({ app, config, fees, viewOf, url }: Tools): void {
  app.get('/', (request) => {
    const { latestLedger: latest, nowMs } = viewOf(request);
    return {
      _links: { self: { href: url() }, friendbot: { href: `${url()}/friendbot{?addr}`, templated: true } },
      horizon_version: 'sandbox',
      core_version: 'sandbox',
      ingest_latest_ledger: latest,
      history_latest_ledger: latest,
      history_latest_ledger_closed_at: iso(nowMs),
      history_elder_ledger: 1,
      core_latest_ledger: latest,
      network_passphrase: config.passphrase,
      current_protocol_version: 23,
      supported_protocol_version: 23,
      core_supported_protocol_version: 23,
    };
  });

  app.get('/fee_stats', (request) => {
    const base = String(config.baseFee);
    const fee = String(fees.reported());
    const spread = Object.fromEntries(
      ['max', 'min', 'mode', 'p10', 'p20', 'p30', 'p40', 'p50', 'p60', 'p70', 'p80', 'p90', 'p95', 'p99'].map(
        (name) => [name, fee],
      ),
    );
    return {
      last_ledger: String(viewOf(request).latestLedger),
      // The base fee of the ledger does not change in a surge; the charged fees and the bids do.
      last_ledger_base_fee: base,
      ledger_capacity_usage: fee === base ? '0.01' : '1',
      fee_charged: spread,
      max_fee: spread,
    };
  });
}

function accountRoutes(tools: Tools): void {
  const { app, viewOf, url } = tools;
  function account(request: FastifyRequest<Id>) {
    const { id } = request.params;
    if (!StrKey.isValidEd25519PublicKey(id)) throw badRequest('account_id', 'Account ID must start with `G`');
    const found = viewOf(request).account(id);
    if (found === undefined) throw notFound();
    return found;
  }
  app.get<Id>('/accounts/:id', (request, reply) => {
    const act = (fault: Fault | null) =>
      presentAccount(shown(account(request), fault), { url: url(), wrong: isWrong(fault) });
    const of = [...OPERATIONS.account];
    return answerRead(tools, { reply, operation: 'account', ids: [request.params.id], act, of });
  });

  app.get<{ Params: { id: string; key: string }; Querystring: PageQuery }>('/accounts/:id/data/:key', (request) => {
    const value = account(request).data?.[request.params.key];
    if (value === undefined) throw notFound();
    return { value };
  });

  app.get<Id>('/accounts/:id/payments', (request, reply) => {
    const act = (fault: Fault | null) => {
      const { address } = account(request);
      const page = readPage(request.query, NEWEST);
      const view = viewOf(request);
      const ids = pickPage(view.paymentsOf(address), { page, token: (id) => id });
      const records = ids.map((id) => presentOperation(view.operation(id)!, { url: url(), wrong: isWrong(fault) }));
      return presentPage(records, { url: `${url()}/accounts/${address}/payments`, page });
    };
    return answerRead(tools, { reply, operation: 'account', ids: [request.params.id], act });
  });

  app.get<Id>('/accounts/:id/operations', (request, reply) => {
    const act = (fault: Fault | null) => {
      const { address } = account(request);
      const page = readPage(request.query, NEWEST);
      const view = viewOf(request);
      const ids = view.historyOf(address).flatMap((hash) => view.find(hash)?.operations ?? []);
      const all = ids.filter((id) => {
        const operation = view.operation(id);
        return operation?.successful === true && operation.participants.includes(address);
      });
      const records = pickPage(all, { page, token: (id) => id }).map((id) =>
        presentOperation(view.operation(id)!, { url: url(), wrong: isWrong(fault) }),
      );
      return presentPage(records, { url: `${url()}/accounts/${address}/operations`, page });
    };
    return answerRead(tools, { reply, operation: 'account', ids: [request.params.id], act });
  });

  app.get<Id & { Querystring: PageQuery & { include_failed?: string } }>(
    '/accounts/:id/transactions',
    (request, reply) => {
      const act = () => {
        const { address } = account(request);
        const page = readPage(request.query, NEWEST);
        const view = viewOf(request);
        // Like the network, which leaves failed transactions out unless they are wanted.
        const isWhole = request.query.include_failed === 'true';
        const history = view.historyOf(address).map((hash) => view.find(hash)!);
        const all = isWhole ? history : history.filter(({ successful }) => successful);
        const picked = pickPage(all, { page, token: ({ id }) => id });
        const records = picked.map((one) => presentTransaction(one, { url: url(), hash: one.hash }));
        return presentPage(records, { url: `${url()}/accounts/${address}/transactions`, page });
      };
      return answerRead(tools, { reply, operation: 'account', ids: [request.params.id], act, of: WITHOUT_AMOUNT });
    },
  );
}

function transactionRoutes(tools: Tools): void {
  const { app, viewOf, url } = tools;
  function transaction(request: FastifyRequest<Hash>): Transaction {
    const { hash } = request.params;
    if (!/^[0-9a-f]{64}$/.test(hash)) throw badRequest('tx_id', 'a hash has 64 lower-case hexadecimal digits');
    const found = viewOf(request).find(hash);
    if (found === undefined) throw notFound();
    return found;
  }
  app.get<Hash>('/transactions/:hash', (request, reply) => {
    const act = () => presentTransaction(transaction(request), { url: url(), hash: request.params.hash });
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
      const found = transaction(request);
      const { hash, operations } = found;
      const page = readPage(request.query, NEWEST);
      const ids = pickPage(operations, { page, token: (id) => id });
      const view = viewOf(request);
      const joined =
        request.query.join === 'transactions'
          ? { transaction: presentTransaction(found, { url: url(), hash: request.params.hash }) }
          : {};
      const records = ids.map((id) => ({
        ...presentOperation(view.operation(id)!, { url: url(), wrong: isWrong(fault), share: 3n }),
        ...joined,
      }));
      return presentPage(records, { url: `${url()}/transactions/${hash}/operations`, page });
    };
    return answerRead(tools, { reply, operation: 'transaction-get', ids: [request.params.hash], act });
  });

  app.get<Id>('/operations/:id', (request) => {
    const operation = viewOf(request).operation(request.params.id);
    if (operation === undefined) throw notFound();
    return presentOperation(operation, { url: url(), wrong: false });
  });
}

function ledgerRoutes({ app, config, store, url, viewOf }: Tools): void {
  const setting = () => ({ store, url: url(), passphrase: config.passphrase, baseFee: config.baseFee });
  app.get<{ Querystring: PageQuery }>('/ledgers', (request) => {
    const latest = viewOf(request).latestLedger;
    const page = readPage(request.query, NEWEST);
    const from = page.cursor === null ? null : Number(page.cursor >> 32n);
    const first = page.descending ? Math.min((from ?? latest + 1) - 1, latest) : (from ?? 0) + 1;
    const numbers = Array.from({ length: page.limit }, (_, step) => (page.descending ? first - step : first + step));
    const records = numbers.filter((n) => n >= 1 && n <= latest).map((number) => presentLedger(number, setting()));
    return presentPage(records, { url: `${url()}/ledgers`, page });
  });
  app.get<Id>('/ledgers/:id', (request) => {
    const number = Number(request.params.id);
    if (!(number >= 1 && number <= viewOf(request).latestLedger)) throw notFound();
    return presentLedger(number, setting());
  });
}
// These answers contain no amount, so the wrong-amount fault waits for one that does.
const WITHOUT_AMOUNT = CALL_FAULTS.filter((fault) => fault !== 'wrong-amount');

export const isWrong = (fault: Fault | null) => fault?.fault === 'wrong-amount';
// Under the memo-required fault the account looks as if it demanded a memo.
const shown = (account: Account, fault: Fault | null): Account =>
  fault?.fault === 'memo-required'
    ? { ...account, data: { ...account.data, [MEMO_REQUIRED]: MEMO_REQUIRED_VALUE } }
    : account;
