// Names in the database and at the ledger are snake_case, ours are camelCase.

/** `platformFeeBps` becomes `platform_fee_bps`; what is snake_case already stays as it is. */
export const snakeCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
