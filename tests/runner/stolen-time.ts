// Processor time that the host of a virtual machine gives to other machines, which Linux counts as "steal". While it takes most of the
// processors for seconds, tests exceed time limits, and that says nothing about the code.

import { readFileSync } from 'node:fs';

/** In ticks since the machine started. */
type Times = { readonly stolen: number; readonly all: number };

const STEAL = 7;
/** What comes after it is contained in the fields before. */
const FIELDS = 8;

/** Of the text of /proc/stat; null where it has another form. */
export const timesIn = (text: string): Times | null => {
  const fields = /^cpu +([\d ]+)/.exec(text)?.[1]?.trim().split(' ').slice(0, FIELDS).map(Number) ?? [];
  if (fields.length < FIELDS) return null;
  return { stolen: fields[STEAL]!, all: fields.reduce((sum, field) => sum + field, 0) };
};

/** Null where the system does not say, as on a Mac. */
const readTimes = (): Times | null => {
  try {
    return timesIn(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
};

const EVERY_MS = 1_000;

type Share = { readonly endMs: number; readonly share: number };

export const watchStolenTime = ({ read = readTimes, now = () => performance.now(), everyMs = EVERY_MS } = {}) => {
  const shares: Share[] = [];
  let last = read();
  const look = (): void => {
    const next = read();
    if (last !== null && next !== null && next.all > last.all) {
      shares.push({ endMs: now(), share: (next.stolen - last.stolen) / (next.all - last.all) });
    }
    last = next;
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    look,
    /** The largest share of the processors that was taken in one interval since then: 0 to 1. */
    peakSince: (startMs: number): number =>
      Math.max(0, ...shares.filter(({ endMs }) => endMs >= startMs).map(({ share }) => share)),
    stop: () => clearInterval(timer),
  };
};
