// The currencies a balance can be kept in.

export const CURRENCIES = ['USD', 'USDC', 'XLM'] as const;

export type Currency = (typeof CURRENCIES)[number];
