// Events as text: what a search looks into, what is copied, and the clock time of a line.

import type { HoldfastEvent } from '@holdfast/sdk';

const texts = new WeakMap<HoldfastEvent, string>();

/** Whether it holds the words anywhere; the text of an event is made once. */
export const hasText = (event: HoldfastEvent, words: string): boolean => {
  let text = texts.get(event);
  if (text === undefined) {
    text = JSON.stringify(event).toLowerCase();
    texts.set(event, text);
  }
  return text.includes(words.toLowerCase());
};

/** What says most about an event, in this order. */
const TELLING = ['title', 'externalUserId', 'reason', 'source', 'destination', 'status'] as const;

/** A word or two of the payload, for the line of the event. */
export const gistOf = ({ payload }: HoldfastEvent): string => {
  const fields = payload as Readonly<Record<string, unknown>>;
  const name = TELLING.find((each) => typeof fields[each] === 'string' && fields[each] !== '');
  return name ? String(fields[name]) : '';
};

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** To the millisecond, in the reader's own time; with the day when that is another one. */
export const clockTime = (moment: string): { readonly day: string | null; readonly time: string } => {
  const date = new Date(moment);
  const isToday = date.toDateString() === new Date().toDateString();
  const millis = String(date.getMilliseconds()).padStart(3, '0');
  return { day: isToday ? null : DAY.format(date), time: `${CLOCK.format(date)}.${millis}` };
};

/** A replay begins after its moment, so the moment of an event is taken a little before it. */
export const justBefore = (moment: string): string => new Date(Date.parse(moment) - 1).toISOString();

/** An address that shows the event whenever it is opened, as long as events are kept. */
export const linkTo = ({ eventId, occurredAt }: HoldfastEvent): string => {
  const search = new URLSearchParams({ since: justBefore(occurredAt), event: eventId });
  return `${window.location.origin}${window.location.pathname}?${search}`;
};

const MINUTE_MS = 60_000;

/** What `datetime-local` wants: the reader's own time, without a zone. */
export const toLocalField = (moment: string | undefined): string => {
  if (!moment || Number.isNaN(Date.parse(moment))) return '';
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
};

export const fromLocalField = (text: string): string => (text === '' ? '' : new Date(text).toISOString());
