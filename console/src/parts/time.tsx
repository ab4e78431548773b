// A time: relative, with the exact time on hover. One timer updates all of them.

import { useSyncExternalStore } from 'react';

type Props = {
  readonly value: string | null | undefined;
  /** Shows the exact time, with the relative time on hover. */
  readonly exact?: boolean;
};

const TICK_MS = 5_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: number | undefined;

const subscribe = (listener: () => void): (() => void) => {
  // The timer is stopped while no component shows a time.
  if (timer === undefined) nowMs = Date.now();
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    nowMs = Date.now();
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

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

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

export const exactTime = (value: string): string => EXACT.format(new Date(value));

export const Time = ({ value, exact = false }: Props) => {
  const now = useNow();
  if (!value) return <span className="soft">–</span>;
  const relative = relativeTime(value, now);
  return (
    <time className="time" dateTime={value} title={exact ? relative : `${exactTime(value)} (${value})`}>
      {exact ? exactTime(value) : relative}
    </time>
  );
};
