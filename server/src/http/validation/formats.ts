// Formats beyond those of the library, and formats that are checked more strictly than by it. The database parses times, and a time that it
// cannot parse must be an error of the caller and not of the server.

import { isOneLine } from '@holdfast/contract/one-line.ts';
import { Format } from 'typebox/format';
import { durationMs } from '../../base/duration.ts';

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/;

export const isInstant = (text: string): boolean => {
  const parts = INSTANT.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second, zoneHour = 0, zoneMinute = 0] = parts
    .slice(1)
    .map((n) => Number(n ?? 0));
  if (year! < 1 || month! < 1 || month! > 12 || day! < 1 || day! > daysIn(year!, month!)) return false;
  return hour! < 24 && minute! < 60 && second! < 60 && zoneHour < 15 && zoneMinute < 60;
};

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
};

Format.Set('one-line', isOneLine);
Format.Set('duration', (text) => durationMs(text) !== null);
Format.Set('date', (text) => isInstant(`${text}T00:00:00Z`));
Format.Set('date-time', isInstant);
Format.Set('date-or-time', (text) => isInstant(text) || isInstant(`${text}T00:00:00Z`));
