// The books as a child would keep them: a number per purse and a list per reservation, nothing shared with the server.
// It says for each step what must come out of it.

export const CURRENCIES = ['USD', 'USDC', 'XLM'] as const;
export type Currency = (typeof CURRENCIES)[number];
type Order = string | null;

export type Step =
  | { do: 'credit' | 'debit'; user: number; currency: Currency; cents: number }
  | { do: 'reserve' | 'release' | 'deduct'; user: number; currency: Currency; cents: number; order: Order }
  | { do: 'cancel'; user: number; order: string };

type Hold = { order: Order; cents: number };
type Purse = { available: number; holds: Hold[] };

export type Model = Map<string, Purse>;

export const purseOf = (model: Model, user: number, currency: Currency): Purse => {
  const key = `${user}/${currency}`;
  const purse = model.get(key) ?? { available: 0, holds: [] };
  model.set(key, purse);
  return purse;
};

export const reservedIn = (purse: Purse): number => purse.holds.reduce((sum, { cents }) => sum + cents, 0);

/** Without an order: first what has none, then the oldest. With one: that and nothing else. */
const drawable = (purse: Purse, order: Order): Hold[] =>
  order === null
    ? [...purse.holds.filter((hold) => hold.order === null), ...purse.holds.filter((hold) => hold.order !== null)]
    : purse.holds.filter((hold) => hold.order === order);

const draw = (purse: Purse, order: Order, cents: number): boolean => {
  const holds = drawable(purse, order);
  if (holds.reduce((sum, hold) => sum + hold.cents, 0) < cents) return false;
  let left = cents;
  for (const hold of holds) {
    const part = Math.min(left, hold.cents);
    hold.cents -= part;
    left -= part;
  }
  purse.holds = purse.holds.filter((hold) => hold.cents > 0);
  return true;
};

const cancel = (model: Model, step: Step & { do: 'cancel' }): string => {
  let found = false;
  for (const currency of CURRENCIES) {
    const purse = purseOf(model, step.user, currency);
    const hold = purse.holds.find(({ order }) => order === step.order);
    if (!hold) continue;
    found = true;
    purse.available += hold.cents;
    purse.holds = purse.holds.filter((other) => other !== hold);
  }
  return found ? 'done' : 'RESERVATION_NOT_FOUND';
};

/** Carries the step out in the model: `done`, or the code of the refusal. */
export const expectOf = (model: Model, step: Step): string => {
  if (step.do === 'cancel') return cancel(model, step);
  const purse = purseOf(model, step.user, step.currency);
  const { cents } = step;
  switch (step.do) {
    case 'credit':
      purse.available += cents;
      return 'done';
    case 'debit':
      if (purse.available < cents) return 'INSUFFICIENT_FUNDS';
      purse.available -= cents;
      return 'done';
    case 'reserve': {
      if (purse.available < cents) return 'INSUFFICIENT_FUNDS';
      purse.available -= cents;
      const hold = purse.holds.find(({ order }) => order === step.order);
      if (hold) hold.cents += cents;
      else purse.holds.push({ order: step.order, cents });
      return 'done';
    }
    case 'release':
      if (!draw(purse, step.order, cents)) return 'RESERVATION_EXCEEDED';
      purse.available += cents;
      return 'done';
    case 'deduct':
      return draw(purse, step.order, cents) ? 'done' : 'INVALID_RESERVED_DEDUCTION';
  }
};
