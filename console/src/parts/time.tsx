// A time: relative, with the exact time of this computer's zone and of UTC on hover. One timer updates all of them.

import { useSyncExternalStore } from 'react';
import { serverNow } from '../server-clock.ts';

type Props = {
  readonly value: string | null | undefined;
  /** Shows the exact time, with the relative time on hover. Beside the name of a fact it shows the time of UTC too. */
  readonly exact?: boolean;
  /** Another present than that of the server, in milliseconds. */
  readonly now?: number;
};

const TICK_MS = 5_000;
const listeners = new Set<() => void>();
let nowMs = serverNow();
let timer: number | undefined;

const subscribe = (listener: () => void): (() => void) => {
  // The timer is stopped while no component shows a time.
  if (timer === undefined) nowMs = serverNow();
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    nowMs = serverNow();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
};

/** The time of the last tick, in milliseconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs);

const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto', style: 'short' });
const EXACT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

const STEPS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly seconds: number }[] = [
  { unit: 'year', seconds: 31_536_000 },
  { unit: 'month', seconds: 2_592_000 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
];

const relativeTime = (value: string, now: number): string => {
  const seconds = Math.trunc((Date.parse(value) - now) / 1_000);
  const step = STEPS.find((each) => Math.abs(seconds) >= each.seconds);
  if (step) return RELATIVE.format(Math.trunc(seconds / step.seconds), step.unit);
  return seconds > -10 && seconds < 10 ? 'just now' : RELATIVE.format(seconds, 'second');
};

/** `17 Nov 2026, 21:05:09 CET` */
export const exactTime = (value: string): string => EXACT.format(new Date(value));

/** `2026-11-17 20:05:09 UTC`; the server may tell fractions of a second, which people do not compare. */
const utcTime = (value: string): string => `${new Date(value).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const isUtc = (value: string): boolean => new Date(value).getTimezoneOffset() === 0;

export const Time = ({ value, exact = false, now: present }: Props) => {
  const tick = useNow();
  if (!value) return <span className="soft">–</span>;
  const relative = relativeTime(value, present ?? tick);
  const first = exact ? relative : exactTime(value);
  return (
    <time className="time" dateTime={value} title={isUtc(value) ? first : `${first} · ${utcTime(value)}`}>
      {exact ? exactTime(value) : relative}
      {exact && !isUtc(value) ? <span className="time-utc"> {utcTime(value)}</span> : null}
    </time>
  );
};
