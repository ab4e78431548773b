// Money of the payment provider: whole cents inside, JSON numbers only on the wire. Refuses inexact amounts.

export type Cents = bigint;

// Larger JSON numbers lose their cents.
const LARGEST = 10_000_000_000_000n;

// null when the number is negative, has more than two decimal places or is too large to be exact.
export function parseCents(amount: unknown): Cents | null {
  if (typeof amount !== 'number') return null;
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(amount));
  if (match === null) return null;
  const cents = BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
  return cents <= LARGEST ? cents : null;
}

export const presentCents = (cents: Cents): number => Number(formatCents(cents));

export function formatCents(cents: Cents): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

// The fault wrong-amount makes every amount of the payment provider larger by this.
export const OTHER_AMOUNT_BY = 100n;

const wrongReads = new Map<string, Cents>();

// Every wrong read of a payment shows another wrong amount, so two reads that agree are right. The ids are unique in every sandbox.
export function nextWrongAmount(id: string): Cents {
  const amount = (wrongReads.get(id) ?? 0n) + OTHER_AMOUNT_BY;
  wrongReads.set(id, amount);
  return amount;
}
