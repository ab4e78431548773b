// Decimals of the ledger as whole units of 10^-7, and back. Tests and tools use these functions and not the server's own
// arithmetic, so that an error there cannot hide itself.

/** `text` has at most seven decimal places. */
export const exactUnits = (text: string): bigint => {
  const [whole = '0', part = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole) * 10_000_000n + BigInt(part.padEnd(7, '0'));
  return text.startsWith('-') ? -units : units;
};

/** With seven decimal places, as the ledger writes it. */
export const exactText = (units: bigint): string =>
  `${units / 10_000_000n}.${String(units % 10_000_000n).padStart(7, '0')}`;
