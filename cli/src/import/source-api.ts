// Reads users, balances and orders from the API of the old system. It expects the wire of Surface A and is tolerant: unknown fields are
// ignored, amounts may be numbers, and envelopes may differ.

import { failure } from '../failures.ts';
import { counted } from '../view/counted.ts';
import { type ReadAmount, readAmount } from './amounts.ts';
import { ExactNumber, plainOf, textOf } from './exact-json.ts';
import {
  hasEnded,
  IMPORT_LIMITS,
  type Metadata,
  type Source,
  type SourceBalance,
  type SourceMilestone,
  type SourceOrder,
  type SourceUser,
  type UserType,
} from './records.ts';
import type { SourceReader } from './source-http.ts';

type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** Envelopes around a value, from the outside to the inside: `{ data: { success, data } }` has three. */
const layersOf = (body: unknown): unknown[] => {
  const layers = [body];
  for (let inside = body; isData(inside) && 'data' in inside && layers.length < 4; ) {
    inside = inside.data;
    layers.push(inside);
  }
  return layers;
};

const NAMES_OF_LISTS = ['items', 'users', 'orders', 'results'];

const itemsOf = (body: unknown): Data[] | null => {
  for (const layer of layersOf(body)) {
    if (Array.isArray(layer)) return layer.filter(isData);
    const name = isData(layer) ? NAMES_OF_LISTS.find((each) => Array.isArray(layer[each])) : undefined;
    if (name !== undefined) return ((layer as Data)[name] as unknown[]).filter(isData);
  }
  return null;
};

/** The innermost object that has the field. */
const recordWith = (body: unknown, field: string): Data | null =>
  layersOf(body)
    .filter(isData)
    .findLast((layer) => field in layer) ?? null;

type Next = { readonly isLast: boolean; readonly hasMore: boolean; readonly cursor: string | null };

/** What an answer says about the next page. Neither `isLast` nor `hasMore`: it says nothing about pages. */
const nextOf = (body: unknown): Next => {
  const layers = layersOf(body).filter(isData);
  const places = [...layers, ...layers.flatMap(({ meta, pagination }) => [meta, pagination].filter(isData))];
  const place = places.find((each) => 'nextCursor' in each || 'hasMore' in each);
  const cursor = textOf(place?.nextCursor) || null;
  const hasMore = place !== undefined && place.hasMore !== false && (place.hasMore === true || cursor !== null);
  return { isLast: place !== undefined && !hasMore, hasMore, cursor };
};

const PAGE = 100;

async function* listAll(reader: SourceReader, path: string): AsyncGenerator<Data> {
  const seen = new Set<string>();
  for (let cursor: string | null = null; ; ) {
    const query = { limit: String(PAGE), ...(cursor === null ? {} : { cursor }) };
    const { status, body } = await reader.read(path, query);
    const items = status === 200 ? itemsOf(body) : null;
    if (items === null) throw failure(`The source does not answer ${path} with a list. Check --source-url.`);
    if (items.some(({ id }) => typeof id !== 'string' || id === ''))
      throw failure(`The source lists a record without an id as text in ${path}. Use CSV files instead.`);
    const fresh = items.filter(({ id }) => !seen.has(id as string));
    for (const { id } of fresh) seen.add(id as string);
    if (seen.size > IMPORT_LIMITS.records) throw failure(`The source has more than ${IMPORT_LIMITS.records} records.`);
    yield* fresh;
    const next = nextOf(body);
    if (next.hasMore && fresh.length === 0)
      throw failure(
        `The source says that ${path} has more records, and the next page has no new one. Only ${seen.size} could be read. Use CSV files instead.`,
      );
    // Without a word about pages, only a page with nothing new is the last one: a source may give less than was asked for.
    if (next.isLast || fresh.length === 0) return;
    cursor = next.cursor ?? (items.at(-1)!.id as string);
  }
}

type Found = { readonly problems: string[] };

const amountIn = (value: unknown, { place, problems }: Found & { place: string }): bigint => {
  const read: ReadAmount = readAmount(textOf(value));
  if ('units' in read) return read.units;
  problems.push(`${place}: ${read.problem}.`);
  return 0n;
};

const metadataOf = ({ metadata }: Data): Metadata => (isData(metadata) ? (plainOf(metadata) as Metadata) : {});

const userOf = (data: Data): SourceUser => {
  const id = data.id as string;
  return {
    place: `user ${id}`,
    sourceId: id,
    externalUserId: textOf(data.externalUserId ?? data.external_user_id) || id,
    email: textOf(data.email) || null,
    name: textOf(data.name)?.trim() || null,
    type: textOf(data.type) as UserType | null,
    status: textOf(data.status) ?? 'ACTIVE',
    metadata: metadataOf(data),
  };
};

type Reading = Found & { readonly reader: SourceReader; readonly currencies: readonly string[] };

const reservedOf = ({ reserved, held, total }: Data, found: Found & { place: string }): bigint => {
  const value = reserved ?? held ?? null;
  if (value !== null) return amountIn(value, found);
  // With a total that equals the available amount, nothing is reserved.
  if ((total ?? null) === null) found.problems.push(`${found.place}: the source does not say what is reserved.`);
  return 0n;
};

type Answered = { readonly user: SourceUser; readonly data: Data; readonly asked: string };

const balanceOf = ({ user: { externalUserId }, data, asked }: Answered, problems: string[]): SourceBalance => {
  const currency = textOf(data.currency) ?? asked;
  const place = `balance of ${externalUserId} in ${currency}`;
  const available = amountIn(data.available, { place, problems });
  const reserved = reservedOf(data, { place, problems });
  const total = data.total ?? null;
  if (total !== null && amountIn(total, { place, problems }) !== available + reserved)
    problems.push(`${place}: the total is not available plus reserved.`);
  return { place, externalUserId, currency, available, reserved };
};

/**
 * One balance for each currency. A source that knows one currency answers the same balance every time; it is counted once. 404 is a
 * currency without a balance, but one balance of each user must be readable.
 */
const readBalances = async ({ reader, currencies, problems }: Reading, user: SourceUser): Promise<SourceBalance[]> => {
  const found = new Map<string, SourceBalance>();
  // Once each, also when the source answers the same for every currency.
  const mine: string[] = [];
  const path = `/users/${encodeURIComponent(user.sourceId!)}/balance`;
  const unreadable = (why: string): string => `${user.place}: the source answers ${path} with ${why}.`;
  for (const asked of currencies) {
    const answer = await reader.read(path, { currency: asked });
    // A source that refuses the parameter has one balance.
    const { status, body } = answer.status === 400 ? await reader.read(path) : answer;
    const data = status === 200 ? recordWith(body, 'available') : null;
    if (data) {
      const balance = balanceOf({ user, data, asked }, mine);
      found.set(balance.currency, balance);
    } else if (status !== 404) mine.push(unreadable(status === 200 ? 'no field "available"' : `the status ${status}`));
  }
  if (found.size === 0 && mine.length === 0) mine.push(unreadable('the status 404 for every currency'));
  problems.push(...new Set(mine));
  return [...found.values()].filter(({ available, reserved }) => available + reserved > 0n);
};

const milestonesOf = (order: Data, found: Found & { place: string }): SourceMilestone[] =>
  (Array.isArray(order.milestones) ? order.milestones : []).filter(isData).map((milestone) => ({
    ref: textOf(milestone.ref) ?? '',
    title: textOf(milestone.title) || (textOf(milestone.ref) ?? ''),
    amount: amountIn(milestone.amount, found),
  }));

const isRefunded = ({ finalStatus, escrow }: Data): boolean =>
  finalStatus === 'REFUNDED' || (isData(escrow) && escrow.status === 'REFUNDED');

const orderOf = (data: Data, found: Found & { users: ReadonlyMap<string, string> }): SourceOrder => {
  const id = data.id as string;
  const place = `order ${id}`;
  const metadata = metadataOf(data);
  const externalOf = (userId: unknown): string => found.users.get(textOf(userId) ?? '') ?? String(textOf(userId));
  return {
    place,
    sourceId: id,
    clientOrderRef: textOf(data.clientOrderRef) || null,
    buyer: externalOf(data.buyerId),
    seller: externalOf(data.sellerId),
    amount: amountIn(data.amount, { place, problems: found.problems }),
    currency: textOf(data.currency) ?? '',
    title: textOf(data.title) ?? '',
    description: textOf(data.description) || null,
    status: textOf(data.status) ?? '',
    isRefunded: isRefunded(data),
    platformFee: textOf(data.platformFee) ?? null,
    metadata,
    milestones: milestonesOf(data, { place, problems: found.problems }),
  };
};

/** A list may leave the milestones out. */
const withMilestones = async (reader: SourceReader, order: Data): Promise<Data> => {
  if (Array.isArray(order.milestones)) return order;
  const { status, body } = await reader.read(`/orders/${encodeURIComponent(order.id as string)}`);
  return (status === 200 ? recordWith(body, 'buyerId') : null) ?? order;
};

/** The currencies that both systems know. */
const currenciesOf = async (reader: SourceReader, ours: readonly string[]): Promise<readonly string[]> => {
  const { status, body } = await reader.read('/config').catch(() => ({ status: 404, body: null }));
  const theirs = status === 200 ? recordWith(body, 'currencies')?.currencies : null;
  const common = Array.isArray(theirs) ? ours.filter((each) => theirs.includes(each)) : ours;
  return common.length === 0 ? ours : common;
};

type Asked = {
  readonly url: string;
  readonly reader: SourceReader;
  readonly currencies: readonly string[];
  /** Closed orders that are imported again. */
  readonly reopen: readonly string[];
  onProgress(text: string): void;
};

export const readApi = async ({ url, reader, currencies, reopen, onProgress }: Asked): Promise<Source> => {
  const problems: string[] = [];
  const known = await currenciesOf(reader, currencies);
  const users: SourceUser[] = [];
  for await (const data of listAll(reader, '/users')) users.push(userOf(data));
  const balances: SourceBalance[] = [];
  for (const user of users) {
    balances.push(...(await readBalances({ reader, currencies: known, problems }, user)));
    onProgress(`Read ${counted(users.length, 'user')} and ${counted(balances.length, 'balance')}`);
  }
  const ids = new Map(users.map(({ sourceId, externalUserId }) => [sourceId!, externalUserId]));
  const orders: SourceOrder[] = [];
  let closedOrders = 0;
  for await (const data of listAll(reader, '/orders')) {
    if (hasEnded(textOf(data.status) ?? '') && !reopen.includes(data.id as string)) closedOrders++;
    else orders.push(orderOf(await withMilestones(reader, data), { users: ids, problems }));
    onProgress(`Read ${orders.length + closedOrders} orders`);
  }
  const read = new Set(orders.map(({ sourceId }) => sourceId));
  problems.push(...reopen.filter((id) => !read.has(id)).map((id) => `--reopen ${id}: the source has no such order.`));
  return { name: url, users, balances, orders, closedOrders, problems };
};
