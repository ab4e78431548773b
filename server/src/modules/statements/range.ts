// The range of time of a statement, and the lines after which a page continues. A cursor contains its range, so that all pages of one
// statement have the same range.

import { STATEMENT_DAYS } from '@holdfast/contract/api/statements.ts';
import type { DomainError } from '../../base/domain-error.ts';
import { formatInstant, momentOf, parseInstant } from '../../base/instant.ts';
import { badCursor } from '../../http/checked-values.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { StatementPlace, StatementRequest } from './queries.ts';

type StatementRange = Pick<StatementRequest, 'from' | 'to' | 'after'>;

type RangeRequest = {
  readonly from?: string;
  readonly to?: string;
  readonly month?: string;
  readonly cursor?: string;
};

const DAY_MICROS = 86_400_000_000;
const BEGINNING: StatementPlace = { available: 0n, reserved: 0n };
const NUMBER = /^\d{1,18}$/;

const refuse = (problem: string): DomainError => validationError([problem]);

const rangeOf = ({ from, to }: RangeRequest, nowMicros: number) => {
  const end = to === undefined ? nowMicros : momentOf(to);
  const start = from === undefined ? end - STATEMENT_DAYS.usual * DAY_MICROS : momentOf(from);
  if (start >= end) throw refuse('from must be before to');
  if (end - start > STATEMENT_DAYS.max * DAY_MICROS) {
    throw refuse(`from and to must be at most ${STATEMENT_DAYS.max} days apart`);
  }
  return { from: formatInstant(start), to: formatInstant(end) };
};

const MONTHS = 12;

/** The first day of the month after this one. */
const monthAfter = (month: string): string => {
  const [year, number] = month.split('-').map(Number);
  const next = number === MONTHS ? [year! + 1, 1] : [year!, number! + 1];
  return `${String(next[0]).padStart(4, '0')}-${String(next[1]).padStart(2, '0')}-01`;
};

/** A month that has not ended ends now. */
const rangeOfMonth = (month: string, nowMicros: number) => {
  const start = momentOf(`${month}-01`);
  if (start >= nowMicros) throw refuse('month must not be in the future');
  return { from: formatInstant(start), to: formatInstant(Math.min(momentOf(monthAfter(month)), nowMicros)) };
};

export const formatCursor = ({ from, to }: Pick<StatementRange, 'from' | 'to'>, place: StatementPlace): string =>
  Buffer.from(JSON.stringify([from, to, String(place.available), String(place.reserved)])).toString('base64url');

const parseCursor = (cursor: string): StatementRange => {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw badCursor();
  }
  if (!Array.isArray(parts) || parts.length !== 4 || parts.some((part) => typeof part !== 'string')) throw badCursor();
  const [from, to, available, reserved] = parts as [string, string, string, string];
  const areTimes = [from, to].every((time) => parseInstant(time) !== null);
  if (!areTimes || !NUMBER.test(available) || !NUMBER.test(reserved)) throw badCursor();
  return { from, to, after: { available: BigInt(available), reserved: BigInt(reserved) } };
};

const isOther = (given: string | undefined, own: string): boolean =>
  given !== undefined && momentOf(given) !== momentOf(own);

export const statementRange = (request: RangeRequest, nowMicros: number): StatementRange => {
  const { month } = request;
  if (month !== undefined) {
    const isAlone = [request.from, request.to, request.cursor].every((each) => each === undefined);
    if (!isAlone) throw refuse('month stands alone: leave from, to and cursor out');
    return { ...rangeOfMonth(month, nowMicros), after: BEGINNING };
  }
  if (request.cursor === undefined) return { ...rangeOf(request, nowMicros), after: BEGINNING };
  const range = parseCursor(request.cursor);
  rangeOf(range, nowMicros);
  if (isOther(request.from, range.from) || isOther(request.to, range.to)) {
    throw refuse('cursor belongs to another range: leave from and to out, or send the same');
  }
  return range;
};
