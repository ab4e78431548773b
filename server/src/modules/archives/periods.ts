// The periods that archives are made of: calendar months in UTC. A month is closed when it and a number of further months are over.

/** A period that is closed: its name, and the first moment after it. */
export type Period = { readonly id: string; readonly endsAt: string };

/** The name of the month of a time, such as 2026-01. */
const monthOf = (instant: string): string => instant.slice(0, 7);

const monthAfter = (month: string, months: number): string => {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
};

/** The closed months from the one of `first` on, oldest first. After each of them, `months` further months are over at `now`. */
export const closedMonths = (range: { first: string; now: string; months: number }): Period[] => {
  const open = monthAfter(monthOf(range.now), -range.months);
  const periods: Period[] = [];
  for (let month = monthOf(range.first); month < open; month = monthAfter(month, 1)) {
    periods.push({ id: month, endsAt: `${monthAfter(month, 1)}-01T00:00:00.000000Z` });
  }
  return periods;
};
