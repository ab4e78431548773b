// Ids, texts and times of a filled marketplace that the requests name: typical ones and rare ones.

import type pg from 'pg';
import { BUSY_SELLER, MARKETPLACE } from './fill-records.ts';

/** By the name of a parameter, the values to ask with. */
type Samples = Readonly<Record<string, readonly string[]>>;

const ONE = `select
  (select id from users where external_user_id = 'user-0') as hot,
  (select id from users where external_user_id = 'user-${BUSY_SELLER}') as "busySeller",
  (select id from users where external_user_id = 'user-100') as user,
  (select id from orders where client_order_ref = 'cart-103') as old,
  (select max(id) from orders) as newest,
  (select id from disputes order by id limit 1) as dispute,
  (select id from evidence order by id limit 1) as evidence,
  (select id from topups order by id limit 1) as topup,
  (select id from withdrawals order by id limit 1) as withdrawal,
  (select id from operations order by id limit 1) as operation,
  (select id from policies order by id limit 1) as policy,
  (select id from operators order by id limit 1) as operator,
  (select id from approvals order by id limit 1) as approval,
  (select id from provider_statements order by id limit 1) as statement,
  (select id from corrections order by id limit 1) as correction,
  (select resource_id from corrections order by id limit 1) as corrected,
  (select id from webhook_endpoints order by id limit 1) as endpoint,
  (select id from webhook_deliveries order by id limit 1) as delivery,
  (select event_id from webhook_deliveries order by id limit 1) as event,
  (select seller_id from orders where dispute_id is not null order by id limit 1) as seller,
  (select id from users order by id offset 50 limit 1) as "earlyUser"`;

type Found = Readonly<Record<string, string>>;

/** Half a year ago, and long before the first record. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const HALF_A_YEAR = 180;
const BEFORE_ALL = 2_000;
const FIRST_ORDERS = 330;

const parametersOf = (found: Found): Samples => ({
  userId: [found.hot!, found.user!],
  buyerId: [found.hot!, found.user!, 'usr_unknown'],
  sellerId: [found.busySeller!, found.seller!, found.user!],
  orderId: [found.old!, found.newest!],
  externalUserId: ['user-100', 'unknown'],
  endpointId: [found.endpoint!, 'unknown'],
  eventId: [found.event!, 'unknown'],
  eventType: ['user.created', 'unknown'],
  requestedBy: ['key-of-the-fill', 'unknown'],
  name: ['standard', 'unknown'],
  email: ['person101@example.com', 'unknown@example.com'],
  clientOrderRef: ['cart-103', 'nothing'],
  resourceId: [found.old!, found.hot!, found.corrected!],
  evidenceId: [found.evidence!],
  subject: ['unknown'],
  contractId: ['unknown'],
  currency: ['USD'],
  days: ['1', '30', '90'],
  month: [daysAgo(FIRST_ORDERS).slice(0, 7), daysAgo(HALF_A_YEAR).slice(0, 7)],
  // With `true` everything is read by design.
  full: ['false'],
  open: ['true', 'false'],
  active: ['true', 'false'],
  limit: ['100'],
  createdAfter: [daysAgo(1), daysAgo(BEFORE_ALL)],
  createdBefore: [daysAgo(HALF_A_YEAR), daysAgo(FIRST_ORDERS), daysAgo(BEFORE_ALL)],
  from: [daysAgo(1), daysAgo(HALF_A_YEAR)],
  to: [daysAgo(HALF_A_YEAR), daysAgo(BEFORE_ALL)],
  at: [daysAgo(1), daysAgo(HALF_A_YEAR)],
});

/** What a search finds: nothing, one record, or more than a page. */
const searchesOf = (found: Found): Samples => ({
  'GET /users': ['user-', 'user-100', 'person', 'no such user', found.user!],
  'GET /orders': ['cart-', 'cart-103', 'order number', 'no such order', found.old!, found.hot!],
});

/** The record that a path names, by its route. */
const pathsOf = (found: Found): Samples => ({
  '/orders/': [found.old!, found.newest!],
  '/users/': [found.hot!, found.user!],
  '/disputes/': [found.dispute!],
  '/topups/': [found.topup!],
  '/withdrawals/': [found.withdrawal!],
  '/operations/': [found.operation!],
  '/policies/': [found.policy!],
  '/operators/': [found.operator!],
  '/approvals/': [found.approval!],
  '/corrections/': [found.correction!],
  '/provider-statements/': [found.statement!],
  '/webhook-endpoints/': [found.endpoint!],
  '/webhook-deliveries/': [found.delivery!],
  '/marketplaces/': [MARKETPLACE],
});

/** Cursors of deep pages, for the lists whose cursor is an id. */
const cursorsOf = (found: Found): Samples => ({
  'GET /orders': [found.old!],
  'GET /users': [found.earlyUser!],
});

export type AllSamples = Readonly<Record<'parameters' | 'searches' | 'paths' | 'cursors', Samples>>;

export const readSamples = async (pool: pg.Pool): Promise<AllSamples> => {
  const found = (await pool.query<Found>(ONE)).rows[0]!;
  const missing = Object.entries(found).filter(([, value]) => value === null);
  if (missing.length > 0) throw new Error(`the marketplace is too small: it has no ${missing.map(([name]) => name)}`);
  return {
    parameters: parametersOf(found),
    searches: searchesOf(found),
    paths: pathsOf(found),
    cursors: cursorsOf(found),
  };
};
