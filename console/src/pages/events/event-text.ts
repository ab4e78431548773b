// Events as text: for the text filter, for copying, and the clock time of a line.

import type { HoldfastEvent } from '@holdfast/sdk';

const texts = new WeakMap<HoldfastEvent, string>();

/** Whether the JSON of the event contains the text. The JSON of an event is built once. */
export const hasText = (event: HoldfastEvent, words: string): boolean => {
  let text = texts.get(event);
  if (text === undefined) {
    text = JSON.stringify(event).toLowerCase();
    texts.set(event, text);
  }
  return text.includes(words.toLowerCase());
};

/** The payload fields that summarise an event, in order of preference. */
const SUMMARY_FIELDS = ['title', 'externalUserId', 'reason', 'source', 'destination', 'status'] as const;

/** A short summary from the payload, for the line of the event. */
export const summaryOf = ({ payload }: HoldfastEvent): string => {
  const fields = payload as Readonly<Record<string, unknown>>;
  const name = SUMMARY_FIELDS.find((each) => typeof fields[each] === 'string' && fields[each] !== '');
  return name ? String(fields[name]) : '';
};

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** To the millisecond in local time, with the day unless it is today. */
export const clockTime = (moment: string): { readonly day: string | null; readonly time: string } => {
  const date = new Date(moment);
  const isToday = date.toDateString() === new Date().toDateString();
  const millis = String(date.getMilliseconds()).padStart(3, '0');
  return { day: isToday ? null : DAY.format(date), time: `${CLOCK.format(date)}.${millis}` };
};

/** A replay starts after the given time, so this returns a time one millisecond before the event. */
export const justBefore = (moment: string): string => new Date(Date.parse(moment) - 1).toISOString();

/** A URL that shows the event for as long as events are stored. */
export const linkTo = ({ eventId, occurredAt }: HoldfastEvent): string => {
  const search = new URLSearchParams({ since: justBefore(occurredAt), event: eventId });
  return `${window.location.origin}${window.location.pathname}?${search}`;
};

const MINUTE_MS = 60_000;

/** The format of `datetime-local`: local time without a zone. */
export const toLocalField = (moment: string | undefined): string => {
  if (!moment || Number.isNaN(Date.parse(moment))) return '';
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
};

export const fromLocalField = (text: string): string => (text === '' ? '' : new Date(text).toISOString());
