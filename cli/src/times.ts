// Times: durations as people type them (90s, 10m, 2h, 1d, or several together), and points in time as tables show them, in local
// time and with the date when it is not today.

import { wrongUsage } from './failures.ts';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

/** `also`: what else may be given, as a sentence. */
export const secondsOf = (parts: readonly string[], also = ''): number => {
  const text = parts.join(' ').trim();
  const spans = [...text.matchAll(/(\d{1,9})\s*([smhdw])/g)];
  if (spans.length === 0 || text.replace(/(\d{1,9})\s*([smhdw])/g, '').trim() !== '') {
    throw wrongUsage(`"${text}" is not a valid duration. Write it like 90s, 10m, 2h, 1d, or "1d 2h".${also}`);
  }
  return spans.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0);
};

/** A point in time: ISO 8601, or a duration before now. */
export const momentOf = (text: string): Date => {
  if (/^\d{4}-/.test(text)) {
    const at = new Date(text);
    if (Number.isNaN(at.getTime()))
      throw wrongUsage(`"${text}" is not a valid time. Write it like 2026-01-31T12:00:00Z.`);
    return at;
  }
  const at = new Date(Date.now() - secondsOf([text], ' A time such as 2026-01-31T12:00:00Z is possible too.') * 1_000);
  if (!(at.getTime() >= 0)) throw wrongUsage(`"${text}" is too long ago.`);
  return at;
};

const two = (value: number): string => String(value).padStart(2, '0');

const dateOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

export const clockOf = (iso: string): string => {
  const at = new Date(iso);
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  return dateOf(at) === dateOf(new Date()) ? clock : `${dateOf(at)} ${clock}`;
};

export const dayOf = (iso: string | null): string | null => {
  if (iso === null) return null;
  const at = new Date(iso);
  return `${dateOf(at)} ${two(at.getHours())}:${two(at.getMinutes())}`;
};
