// Checks the records of a source before anything is written: each on its own, and all of them together. It reads nothing and returns
// sentences that name the place.

import { isOneLineOrNone, ONE_LINE_RULE } from '@holdfast/contract/one-line.ts';
import { amountOf, unitsOf } from '../money.ts';
import { balanceKey, type Source, type SourceBalance, type SourceOrder, type SourceUser } from './records.ts';

/** What the server allows. */
export type Rules = {
  readonly currencies: readonly string[];
  readonly orderMin: bigint;
  readonly orderMax: bigint;
  /** The published maxima of `GET /config`. */
  readonly limits: Readonly<Record<string, number>>;
};

const TYPES: readonly string[] = ['BUYER', 'SELLER', 'BOTH'];
const STATUSES: readonly string[] = ['ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION'];
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const FEE = /^\d{1,2}(\.\d{1,2})?$/;
/** The import adds two keys to the metadata of a record. */
const OWN_KEYS = 2;
const OWN_BYTES = 600;

type Problem = string | false;

const atPlace = (place: string, problems: readonly Problem[]): string[] =>
  problems.filter((each) => each !== false).map((each) => `${place}: ${each}`);

/** Records with the key of an earlier record. */
const repeated = <Item extends { readonly place: string }>(
  items: readonly Item[],
  { what, of }: { what: string; of: (item: Item) => string },
): string[] => {
  const first = new Map<string, string>();
  return items.flatMap((item) => {
    const key = of(item);
    const place = first.get(key);
    if (place === undefined) first.set(key, item.place);
    return place === undefined ? [] : [`${item.place}: the ${what} is already at ${place}.`];
  });
};

const metadataProblem = (metadata: Readonly<Record<string, unknown>>, { limits }: Rules): Problem => {
  const keys = Object.keys(metadata);
  const isLarge =
    keys.length > (limits.metadataKeys ?? 50) - OWN_KEYS ||
    keys.some((key) => key.length > (limits.metadataKeyLength ?? 64)) ||
    Buffer.byteLength(JSON.stringify(metadata)) > (limits.metadataBytes ?? 8_192) - OWN_BYTES;
  return isLarge && 'the metadata is larger than Holdfast stores.';
};

const checkUser = (user: SourceUser, rules: Rules): string[] => {
  const { externalUserId, email, name, type, status, metadata } = user;
  const { externalIdLength = 200, emailLength = 254, nameLength = 120 } = rules.limits;
  return atPlace(user.place, [
    externalUserId === '' && 'externalUserId is empty.',
    externalUserId.length > externalIdLength && `externalUserId is longer than ${externalIdLength} characters.`,
    email !== null && (!EMAIL.test(email) || email.length > emailLength) && `"${email}" is not an e-mail address.`,
    name !== null && [...name].length > nameLength && `name is longer than ${nameLength} characters.`,
    !isOneLineOrNone(name) && `name ${ONE_LINE_RULE}.`,
    !isOneLineOrNone(metadata.displayName) && `metadata.displayName ${ONE_LINE_RULE}.`,
    type !== null && !TYPES.includes(type) && `type "${type}" is not one of ${TYPES.join(', ')}.`,
    !STATUSES.includes(status) && `status "${status}" is not one of ${STATUSES.join(', ')}.`,
    metadataProblem(metadata, rules),
  ]);
};

type Known = { readonly rules: Rules; readonly hasUser: (externalUserId: string) => boolean };

const checkBalance = ({ place, externalUserId, currency }: SourceBalance, { rules, hasUser }: Known): string[] =>
  atPlace(place, [
    !hasUser(externalUserId) && `there is no user ${externalUserId || 'without an externalUserId'}.`,
    !rules.currencies.includes(currency) && `currency "${currency}" is not one of ${rules.currencies.join(', ')}.`,
  ]);

const milestoneProblems = ({ milestones, amount }: SourceOrder, { limits }: Rules): Problem[] => {
  const { milestones: most = 10, nameLength = 120, titleLength = 200 } = limits;
  const sum = milestones.reduce((total, each) => total + each.amount, 0n);
  const refs = milestones.map(({ ref }) => ref);
  return [
    milestones.length > most && `it has more than ${most} milestones.`,
    new Set(refs).size < refs.length && 'two milestones have the same ref.',
    milestones.some(({ ref, title }) => ref === '' || ref.length > nameLength || title.length > titleLength) &&
      'a milestone has no ref, or a ref or title that is too long.',
    milestones.length > 0 &&
      sum !== amount &&
      `the milestones add up to ${amountOf(sum)}, the order is ${amountOf(amount)}.`,
  ];
};

const checkOrder = (order: SourceOrder, { rules, hasUser }: Known): string[] => {
  const { buyer, seller, amount, currency, platformFee, clientOrderRef, title, description, sourceId } = order;
  const { referenceLength = 200, titleLength = 200, descriptionLength = 2_000 } = rules.limits;
  const fee = order.metadata.platformFee ?? order.metadata.platform_fee ?? platformFee;
  return atPlace(order.place, [
    sourceId === '' && 'orderId is empty.',
    ...[buyer, seller].map((user): Problem => !hasUser(user) && `there is no user ${user}.`),
    buyer === seller && 'buyer and seller are the same user.',
    !rules.currencies.includes(currency) && `currency "${currency}" is not one of ${rules.currencies.join(', ')}.`,
    (amount < rules.orderMin || amount > rules.orderMax) &&
      `the amount ${amountOf(amount)} is not within ${amountOf(rules.orderMin)} and ${amountOf(rules.orderMax)}.`,
    fee !== null && !FEE.test(String(fee)) && `the platform fee "${fee}" is not a percentage from 0 to 99.`,
    (clientOrderRef ?? sourceId).length > referenceLength && 'the reference is too long.',
    title.length > titleLength && `the title is longer than ${titleLength} characters.`,
    (description?.length ?? 0) > descriptionLength && `the description is longer than ${descriptionLength} characters.`,
    metadataProblem(order.metadata, rules),
    ...milestoneProblems(order, rules),
  ]);
};

type Asked = {
  readonly rules: Rules;
  /** Users of the server, who need no row in the source. */
  readonly existing: ReadonlySet<string>;
};

/** Users that balances and orders name and that the source does not have. */
export const namedUsers = ({ users, balances, orders }: Source): string[] => {
  const known = new Set(users.map(({ externalUserId }) => externalUserId));
  const named = [
    ...balances.map(({ externalUserId }) => externalUserId),
    ...orders.flatMap(({ buyer, seller }) => [buyer, seller]),
  ];
  return [...new Set(named)].filter((each) => each !== '' && !known.has(each));
};

export const checkSource = (source: Source, { rules, existing }: Asked): string[] => {
  const { users, balances, orders, problems } = source;
  const known = new Set(users.map(({ externalUserId }) => externalUserId));
  const hasUser = (externalUserId: string): boolean => known.has(externalUserId) || existing.has(externalUserId);
  return [
    ...problems,
    ...users.flatMap((user) => checkUser(user, rules)),
    ...repeated(users, { what: 'externalUserId', of: ({ externalUserId }) => externalUserId }),
    ...balances.flatMap((balance) => checkBalance(balance, { rules, hasUser })),
    ...repeated(balances, {
      what: 'balance of this user in this currency',
      of: ({ externalUserId, currency }) => balanceKey(externalUserId, currency),
    }),
    ...orders.flatMap((order) => checkOrder(order, { rules, hasUser })),
    ...repeated(orders, { what: 'order', of: ({ sourceId }) => sourceId }),
    ...repeated(orders, { what: 'reference', of: ({ clientOrderRef, sourceId }) => clientOrderRef ?? sourceId }),
  ];
};

export const rulesOf = (config: {
  readonly currencies: readonly string[];
  readonly amounts: { readonly order: { readonly min: string; readonly max: string } };
  readonly limits: Readonly<Record<string, number>>;
}): Rules => ({
  currencies: config.currencies,
  orderMin: unitsOf(config.amounts.order.min),
  orderMax: unitsOf(config.amounts.order.max),
  limits: config.limits,
});
