// Compares the lines of a provider statement with our records. It is a pure function of both, so each comparison can be repeated. A line
// and a record belong together only by a name that both have, never by their amounts.

import type { StatementLineStatus } from '@holdfast/contract/states.ts';
import { laterBy } from '../../base/instant.ts';
import { type Amount, magnitudeOf, minus, ZERO } from '../../books/money.ts';
import type { OurRecord } from './records.ts';
import { type FileLine, type ProviderStatement, settledCurrency } from './statement.ts';
import { suggestRecords } from './suggest.ts';

type Verdict = {
  readonly status: StatementLineStatus;
  /** The amount of the file minus ours. */
  readonly difference: Amount | null;
  readonly reason: string | null;
};

/** A line of the file, a record of ours, or both. */
export type Compared = Verdict & {
  readonly line: FileLine | null;
  readonly record: OurRecord | null;
  readonly suggestion: OurRecord | null;
};

type Sides = {
  readonly statement: Pick<ProviderStatement, 'system' | 'fromAt' | 'toAt' | 'toleranceMinutes'>;
  readonly lines: readonly FileLine[];
  /** Those that the lines name. */
  readonly named: readonly OurRecord[];
  /** Those of the range of the statement. */
  readonly ofRange: readonly OurRecord[];
};

const says = (status: StatementLineStatus, reason: string | null = null): Verdict => ({
  status,
  reason,
  difference: null,
});

const isFee = ({ type }: FileLine): boolean => /^fees?$/i.test(type ?? '');

const isSameCurrency = (a: string, b: string): boolean => settledCurrency(a) === settledCurrency(b);

/** What left may be written with or without a minus. What came in may not: with a minus it is a payment that was taken back. */
const paidOf = ({ amount }: FileLine, { type }: OurRecord): Amount =>
  type === 'withdrawal' ? magnitudeOf(amount) : amount;

/** The hash of a transaction is the same in capital letters. */
export const referenceOf = ({ reference }: Pick<FileLine, 'reference'>): string | null =>
  reference !== null && /^[0-9A-Fa-f]{64}$/.test(reference) ? reference.toLowerCase() : reference;

const FEE_UNKNOWN = 'The provider has not reported the fee of the top-up yet.';

const judgeFee = (line: FileLine, { type, fee, currency }: OurRecord): Verdict => {
  const charged = magnitudeOf(line.amount);
  if (type === 'topup' && fee === null) return says('PENDING', FEE_UNKNOWN);
  if (fee === null) return says('MISSING_HERE', 'The books have no fee of this payment.');
  if (!isSameCurrency(line.currency, currency)) return says('AMOUNT_DIFFERS', `The fee is in ${currency} here.`);
  if (charged === fee) return says('MATCHED');
  return { status: 'AMOUNT_DIFFERS', difference: minus(charged, fee), reason: 'The fee differs.' };
};

const judgeFeeCell = (line: FileLine, { type, fee: own }: OurRecord): Verdict | null => {
  const fee = line.fee === null ? null : magnitudeOf(line.fee);
  if (fee === null || fee === own) return null;
  if (own !== null) return { status: 'AMOUNT_DIFFERS', difference: minus(fee, own), reason: 'The fee differs.' };
  if (fee === ZERO) return null;
  return type === 'topup'
    ? says('PENDING', FEE_UNKNOWN)
    : { status: 'AMOUNT_DIFFERS', difference: fee, reason: 'The books have no fee of this payment.' };
};

type Judged = {
  readonly line: FileLine;
  readonly record: OurRecord;
  readonly system: ProviderStatement['system'];
  /** Money of a withdrawal came back. */
  readonly isBack: boolean;
};

const CAME_BACK = 'The file writes what left with a minus, and this line has none: money of the withdrawal came back.';

/** What came back for a withdrawal differs from what left by both amounts. */
const judgeReturn = ({ amount }: FileLine, record: OurRecord): Verdict => ({
  status: 'AMOUNT_DIFFERS',
  difference: minus(minus(ZERO, amount), record.amount),
  reason: CAME_BACK,
});

const judge = ({ line, record, system, isBack }: Judged): Verdict => {
  if (record.outcome === 'pending') return says('PENDING', `The ${record.type} is ${record.status} here.`);
  if (record.outcome === 'unpaid') return says('MISSING_HERE', `The ${record.type} is ${record.status} here.`);
  if (!isSameCurrency(line.currency, record.currency)) {
    return says('AMOUNT_DIFFERS', `The ${record.type} is in ${record.currency} here.`);
  }
  if (isBack) return judgeReturn(line, record);
  const difference = minus(paidOf(line, record), record.amount);
  if (difference !== ZERO) return { status: 'AMOUNT_DIFFERS', difference, reason: 'The amount differs.' };
  // The fee of the network is paid in another asset.
  return (system === 'payment-provider' ? judgeFeeCell(line, record) : null) ?? says('MATCHED');
};

/** The records by each of their names. One transaction of the ledger may have several. */
const indexOf = (records: readonly OurRecord[]): Map<string, OurRecord[]> => {
  const byName = new Map<string, OurRecord[]>();
  for (const record of records) {
    for (const name of new Set([record.id, record.outsideId])) {
      if (name === null) continue;
      const known = byName.get(name);
      if (known) known.push(record);
      else byName.set(name, [record]);
    }
  }
  return byName;
};

type ByName = ReadonlyMap<string, readonly OurRecord[]>;

const recordsOf = (line: FileLine, byName: ByName): readonly OurRecord[] => {
  const name = referenceOf(line);
  return name === null ? [] : (byName.get(name) ?? []);
};

/** Says of a line whether money came back by it. Only a file that writes what left with a minus tells. */
const returnsOf = (lines: readonly FileLine[], byName: ByName): ((line: FileLine) => boolean) => {
  const isPayout = (line: FileLine): boolean =>
    !isFee(line) && recordsOf(line, byName).some(({ type }) => type === 'withdrawal');
  const hasSigns = lines.some((line) => line.amount < ZERO && isPayout(line));
  return (line) => hasSigns && line.amount > ZERO && isPayout(line);
};

const compareLines = ({ statement: { system }, lines, named }: Sides) => {
  const byName = indexOf(named);
  const isReturn = returnsOf(lines, byName);
  const paid = new Set<OurRecord>();
  const charged = new Set<OurRecord>();
  const returned = new Set<OurRecord>();
  const compareLine = (line: FileLine): Compared => {
    const base = { line, suggestion: null };
    const isBack = isReturn(line);
    const known = recordsOf(line, byName).filter(({ type }) => !isBack || type === 'withdrawal');
    const used = isBack ? returned : isFee(line) ? charged : paid;
    const open = known.filter((record) => !used.has(record));
    const record = open.find((one) => paidOf(line, one) === one.amount) ?? open[0];
    if (known.length === 0) return { ...base, ...says('MISSING_HERE', 'No record has this reference.'), record: null };
    if (!record) return { ...base, ...says('DUPLICATE', 'An earlier line has this reference.'), record: known[0]! };
    used.add(record);
    return { ...base, record, ...(isFee(line) ? judgeFee(line, record) : judge({ line, record, system, isBack })) };
  };
  const items = lines.map(compareLine);
  return { items, paidIds: new Set([...paid].map(({ id }) => id)) };
};

const MINUTE_MS = 60_000;

/** Of a record that no line names. */
const judgeAlone = ({ fromAt, toAt, toleranceMinutes }: Sides['statement']) => {
  const ms = toleranceMinutes * MINUTE_MS;
  const from = laterBy(fromAt, ms);
  const to = laterBy(toAt, -ms);
  const atEdge = `The file does not have it. It is within ${toleranceMinutes} minutes of the edge of the range.`;
  return (record: OurRecord): Verdict => {
    if (record.outcome !== 'settled') return says('PENDING', `The ${record.type} is ${record.status} here.`);
    const isInside = record.at >= from && record.at < to;
    return isInside ? says('MISSING_THERE', 'The file does not have it.') : says('AT_EDGE', atEdge);
  };
};

const byId = (a: Compared, b: Compared): number => (a.record!.id < b.record!.id ? -1 : 1);

/** The lines of the file in their order, then our records that the file does not have, by id. */
export const compare = (sides: Sides): Compared[] => {
  const { items, paidIds } = compareLines(sides);
  const verdictOf = judgeAlone(sides.statement);
  const alone = sides.ofRange
    .filter(({ id }) => !paidIds.has(id))
    .map((record) => ({ ...verdictOf(record), line: null, record, suggestion: null }))
    .sort(byId);
  return [...suggestRecords(items, alone), ...alone];
};
