// The visible state of one order in the API, the books and on the ledger, with names instead of ids. So an order whose server was
// killed can be compared with an order that ran without a kill.

import assert from 'node:assert/strict';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { exactUnits } from '../../tools/decimals.ts';
import type { Any, Environment } from './order-environment.ts';
import type { Waiting } from './order-saga.ts';

export type Numbers = ReadonlyMap<string, bigint>;

export type OrderView = Awaited<ReturnType<typeof viewSince>>;

type Names = ReadonlyMap<string, string>;

const contractsOf = ({ contracts }: Any, { orderId }: Waiting): Any[] =>
  contracts.filter(({ engagementId }: Any) => engagementId === orderId);

/** A name for each id and address. A second contract of the order would get its own name. */
const namesOf = async ({ sql, sandbox }: Environment, waiting: Waiting): Promise<Names> => {
  const { marketplaceId, orderId, buyer, seller } = waiting;
  const wallets = await sql('select address, owner, user_id from wallets where marketplace_id = $1', [marketplaceId]);
  const users: Record<string, string> = { [buyer]: 'buyer', [seller]: 'seller' };
  const state: Any = sandbox.describe();
  return new Map<string, string>([
    ...Object.entries(users),
    [orderId, 'order'],
    ...wallets.map(({ address, owner, user_id: user }): [string, string] => [address, users[user] ?? owner]),
    ...contractsOf(state, waiting).map(({ contractId }, at): [string, string] => [contractId, `contract${at || ''}`]),
    [state.network.protocolFees, 'protocol'],
  ]);
};

const named = (names: Names, text: string): string => {
  let result = text;
  for (const [id, name] of names) result = result.replaceAll(id, name);
  return result;
};

const inBooks = async (
  { sql }: Environment,
  { waiting: { marketplaceId }, names }: { waiting: Waiting; names: Names },
): Promise<[string, bigint][]> => {
  const accounts = await sql('select id, balance::text from accounts where marketplace_id = $1', [marketplaceId]);
  return accounts.map(({ id, balance }) => [`books ${named(names, id)}`, BigInt(balance)]);
};

const onLedger = ({ sandbox }: Environment, names: Names): [string, bigint][] => {
  const { accounts, contracts, transactions }: Any = sandbox.describe();
  const balances = [...accounts, ...contracts].flatMap(({ address, contractId, balances: held }: Any) => {
    const name = names.get(address ?? contractId);
    if (!name || name === 'protocol') return [];
    return Object.entries(held as Record<string, string>).map(([asset, amount]): [string, bigint] => [
      `ledger ${name} ${asset.split(':')[0]}`,
      exactUnits(amount),
    ]);
  });
  const sent = Map.groupBy(transactions as Any[], ({ source, successful }) => {
    const name = names.get(source);
    return name && `transactions of ${name} that ${successful ? 'succeeded' : 'failed'}`;
  });
  return [
    ...balances,
    ...[...sent].flatMap(([name, all]): [string, bigint][] => (name ? [[name, BigInt(all.length)]] : [])),
  ];
};

const shown = async ({ expect }: Environment, { key, buyer, seller }: Waiting): Promise<[string, bigint][]> => {
  const each = Object.entries({ buyer, seller }).map(async ([name, userId]): Promise<[string, bigint][]> => {
    const { available, reserved } = await expect(`GET /users/${userId}/balance`, { key });
    return [
      [`shown ${name} available`, exactUnits(available)],
      [`shown ${name} reserved`, exactUnits(reserved)],
    ];
  });
  return (await Promise.all(each)).flat();
};

/**
 * Balances of buyer and seller in the API, of every account of the marketplace in the books, of its wallets and the order's
 * contracts on the ledger, and the number of ledger transactions of each wallet.
 */
export const numbersNow = async (environment: Environment, waiting: Waiting): Promise<Numbers> => {
  const names = await namesOf(environment, waiting);
  return new Map([
    ...(await shown(environment, waiting)),
    ...(await inBooks(environment, { waiting, names })),
    ...onLedger(environment, names),
  ]);
};

const changesSince = (before: Numbers, now: Numbers): string[] =>
  [...now]
    .map(([name, value]) => ({ name, by: value - (before.get(name) ?? 0n) }))
    .filter(({ by }) => by !== 0n)
    .map(({ name, by }) => `${name}: ${by}`)
    .sort();

/** Payments into and out of the order's contract, from the payment lists of buyer and seller. */
const movesOf = async ({ sandbox }: Environment, names: Names): Promise<string[]> => {
  const moves = new Map<string, string[]>();
  for (const [address, name] of names) {
    if (!['buyer', 'seller'].includes(name) || !address.startsWith('G')) continue;
    const answer = await fetch(`${sandbox.urls.ledger}/accounts/${address}/payments?limit=200&order=asc`);
    const page: Any = await answer.json();
    for (const { id, asset_balance_changes: changes = [] } of page._embedded.records) {
      const moved = changes.map(({ from, to, amount }: Any) => `${named(names, from)} > ${named(names, to)} ${amount}`);
      moves.set(
        id,
        moved.filter((move: string) => move.includes('contract')),
      );
    }
  }
  return [...moves.values()].flat().sort();
};

const EVENTS = `select event_type as type from events where marketplace_id = $1
  and (envelope::jsonb -> 'payload' ->> 'orderId' = $2 or envelope::jsonb -> 'payload' ->> 'sourceId' = $2)
  order by position`;

const OPERATIONS = `select kind || ' ' || state as text from operations where marketplace_id = $1 and order_id = $2
  order by created_at`;

const FAILED = `select state, purpose, failure from ledger_transactions where marketplace_id = $1 and state <> 'SUCCEEDED'`;

export const viewSince = async (
  environment: Environment,
  { waiting, before }: { waiting: Waiting; before: Numbers },
) => {
  const { sql, expect, sandbox } = environment;
  const { marketplaceId, key, orderId } = waiting;
  const names = await namesOf(environment, waiting);
  const { status, finalStatus, escrow, operation, dispute } = await expect(`GET /orders/${orderId}`, { key });
  return {
    order: [status, escrow?.status ?? null],
    end: { finalStatus, operation, dispute: dispute?.status ?? null },
    events: (await sql(EVENTS, [marketplaceId, orderId])).map(({ type }) => type),
    operations: (await sql(OPERATIONS, [marketplaceId, orderId])).map(({ text }) => text),
    failed: await sql(FAILED, [marketplaceId]),
    contracts: contractsOf(sandbox.describe(), waiting).map(({ type, balance, flags, milestones }) =>
      JSON.parse(named(names, JSON.stringify({ type, balance, flags, milestones }))),
    ),
    moves: await movesOf(environment, names),
    changes: changesSince(before, await numbersNow(environment, waiting)),
  };
};

/** The proof of the books holds, and the books of the marketplace agree with the ledger. */
export const assertSound = async (environment: Environment, waiting: Waiting): Promise<void> => {
  const { checks } = await environment.expect('GET /audit/proof', { key: waiting.key });
  assert.ok(checks.length > 0);
  assert.deepEqual(
    checks.filter(({ holds }: Any) => !holds),
    [],
  );
  const { marketplaceId } = waiting;
  const state = environment.sandbox.describe();
  assert.deepEqual(await compareBooksWithLedger({ sql: environment.sql, state, marketplaceId }), []);
};
