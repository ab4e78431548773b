// Names in the database, at the ledger and in requests may be snake_case. Ours are camelCase.

/** `platformFeeBps` becomes `platform_fee_bps`; what is snake_case already stays as it is. */
export const snakeCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
