// Amounts of the ledger: whole units of 10^-7, the smallest unit of the network. Never a floating-point number.

export const INT64_MAX = 2n ** 63n - 1n;

const UNIT = 10_000_000n;

export function formatAmount(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const size = units < 0n ? -units : units;
  return `${sign}${size / UNIT}.${String(size % UNIT).padStart(7, '0')}`;
}

// null when the text is not a decimal, is negative or has more than seven decimal places.
export function parseAmount(text: string): bigint | null {
  const parts = /^(\d+)(?:\.(\d{1,7}))?$/.exec(text);
  if (parts === null) return null;
  return BigInt(parts[1]!) * UNIT + BigInt((parts[2] ?? '').padEnd(7, '0'));
}

// The changed amount of a wrong-amount fault: never the same, never zero. Lists that are wrong independently of each other show different
// shares.
export const anotherAmount = (units: bigint, share = 2n): bigint =>
  units >= share ? units / share : units + share - 1n;
