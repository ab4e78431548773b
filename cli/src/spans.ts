// Lengths of time as people write them: 90s, 10m, 2h, 1d, and several of them together.

import { wrongUsage } from './failures.ts';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

export const secondsOf = (parts: readonly string[]): number => {
  const text = parts.join(' ').trim();
  const spans = [...text.matchAll(/(\d{1,9})\s*([smhdw])/g)];
  if (spans.length === 0 || text.replace(/(\d{1,9})\s*([smhdw])/g, '').trim() !== '') {
    throw wrongUsage(`"${text}" is no length of time. Write it like 90s, 10m, 2h, 1d, or "1d 2h".`);
  }
  return spans.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0);
};

/** A moment: ISO 8601, or how long ago. */
export const momentOf = (text: string): Date => {
  if (/^\d{4}-/.test(text)) {
    const at = new Date(text);
    if (Number.isNaN(at.getTime())) throw wrongUsage(`"${text}" is no time. Write it like 2026-01-31T12:00:00Z.`);
    return at;
  }
  const at = new Date(Date.now() - secondsOf([text]) * 1_000);
  if (!(at.getTime() >= 0)) throw wrongUsage(`"${text}" is too long ago: there was nothing then.`);
  return at;
};
