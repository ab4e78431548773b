// A simple model of the books: a number per balance and a list per reservation. It shares no code with the server and gives the
// expected result of each step.

export const CURRENCIES = ['USD', 'USDC', 'XLM'] as const;
type Currency = (typeof CURRENCIES)[number];
type Order = string | null;

export type Step =
  | { do: 'credit' | 'open' | 'debit'; user: number; currency: Currency; cents: number }
  | { do: 'reserve' | 'release' | 'deduct'; user: number; currency: Currency; cents: number; order: Order }
  | { do: 'cancel'; user: number; order: string };

type Hold = { order: Order; cents: number };
type UserBalance = { available: number; holds: Hold[] };

export type Model = Map<string, UserBalance>;

const userBalanceOf = (model: Model, user: number, currency: Currency): UserBalance => {
  const key = `${user}/${currency}`;
  const userBalance = model.get(key) ?? { available: 0, holds: [] };
  model.set(key, userBalance);
  return userBalance;
};

export const reservedIn = (userBalance: UserBalance): number =>
  userBalance.holds.reduce((sum, { cents }) => sum + cents, 0);

/** Without an order: first reservations without an order, then the oldest. With an order: only its reservations. */
const drawable = (userBalance: UserBalance, order: Order): Hold[] =>
  order === null
    ? [
        ...userBalance.holds.filter((hold) => hold.order === null),
        ...userBalance.holds.filter((hold) => hold.order !== null),
      ]
    : userBalance.holds.filter((hold) => hold.order === order);

const draw = (userBalance: UserBalance, order: Order, cents: number): boolean => {
  const holds = drawable(userBalance, order);
  if (holds.reduce((sum, hold) => sum + hold.cents, 0) < cents) return false;
  let left = cents;
  for (const hold of holds) {
    const part = Math.min(left, hold.cents);
    hold.cents -= part;
    left -= part;
  }
  userBalance.holds = userBalance.holds.filter((hold) => hold.cents > 0);
  return true;
};

const cancel = (model: Model, step: Step & { do: 'cancel' }): string => {
  let found = false;
  for (const currency of CURRENCIES) {
    const userBalance = userBalanceOf(model, step.user, currency);
    const hold = userBalance.holds.find(({ order }) => order === step.order);
    if (!hold) continue;
    found = true;
    userBalance.available += hold.cents;
    userBalance.holds = userBalance.holds.filter((other) => other !== hold);
  }
  return found ? 'done' : 'RESERVATION_NOT_FOUND';
};

/** Applies the step to the model. Returns `done`, or the error code of the refusal. */
export const expectOf = (model: Model, step: Step): string => {
  if (step.do === 'cancel') return cancel(model, step);
  const userBalance = userBalanceOf(model, step.user, step.currency);
  const { cents } = step;
  switch (step.do) {
    case 'credit':
    case 'open':
      userBalance.available += cents;
      return 'done';
    case 'debit':
      if (userBalance.available < cents) return 'INSUFFICIENT_FUNDS';
      userBalance.available -= cents;
      return 'done';
    case 'reserve': {
      if (userBalance.available < cents) return 'INSUFFICIENT_FUNDS';
      userBalance.available -= cents;
      const hold = userBalance.holds.find(({ order }) => order === step.order);
      if (hold) hold.cents += cents;
      else userBalance.holds.push({ order: step.order, cents });
      return 'done';
    }
    case 'release':
      if (!draw(userBalance, step.order, cents)) return 'RESERVATION_EXCEEDED';
      userBalance.available += cents;
      return 'done';
    case 'deduct':
      return draw(userBalance, step.order, cents) ? 'done' : 'INVALID_RESERVED_DEDUCTION';
  }
};
