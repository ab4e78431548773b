// One event as one aligned line: time, type, resource and amount.

import type { HoldfastEvent } from '@holdfast/sdk';
import { clockOf } from '../times.ts';
import { cut, cutMiddle, harmless, type Paint } from './paint.ts';

const TYPE_WIDTH = 30;
const ID_WIDTH = 30;
const AMOUNT_WIDTH = 16;
/** For a narrow terminal. */
const ID_WIDTH_MIN = 13;
const TYPE_WIDTH_MIN = 12;

/** The fields that say more than the event type, in the order in which they are shown. */
const TELLING = [
  'finalStatus',
  'decision',
  'source',
  'destination',
  'milestoneRef',
  'reason',
  'externalUserId',
  'title',
];

const colourOf = (type: string, paint: Paint): ((text: string) => string) => {
  if (/failed|disputed|canceled|dispute\.opened/.test(type)) return paint.red;
  if (/succeeded|released|completed|funded|resolved|credited/.test(type)) return paint.green;
  if (/refund|debited|requested/.test(type)) return paint.yellow;
  return paint.cyan;
};

export const eventLine = (event: HoldfastEvent, { paint, room }: { paint: Paint; room: number | null }): string => {
  const payload = event.payload as Record<string, unknown>;
  const amount = typeof payload.amount === 'string' ? `${payload.amount} ${payload.currency ?? ''}`.trimEnd() : '';
  const telling = TELLING.map((name) => payload[name]).filter((value) => typeof value === 'string' && value !== '');
  const clock = clockOf(event.occurredAt);
  const rest = harmless(telling.join(', '));
  const around = clock.length + AMOUNT_WIDTH + 6;
  const isNarrow = room !== null && around + TYPE_WIDTH + ID_WIDTH > room;
  const idWidth = isNarrow ? ID_WIDTH_MIN : ID_WIDTH;
  const typeWidth = isNarrow ? Math.max(TYPE_WIDTH_MIN, Math.min(TYPE_WIDTH, room - around - idWidth)) : TYPE_WIDTH;
  const taken = around + typeWidth + idWidth + 2;
  return [
    paint.dim(clock),
    colourOf(event.eventType, paint)(cut(event.eventType, typeWidth).padEnd(typeWidth)),
    cutMiddle(event.aggregateId, idWidth).padEnd(idWidth),
    paint.bold(amount.padStart(AMOUNT_WIDTH)),
    room === null ? rest : cut(rest, Math.max(0, room - taken)),
  ]
    .join('  ')
    .trimEnd();
};
