// What these routes take and give.
// Printed from contract/src/api/fields.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

/** Currency code. */
export type CurrencyCode = 'USD' | 'USDC' | 'XLM';
