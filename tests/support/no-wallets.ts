// For tests of reconciliation that compare something else than wallets.

export const NO_WALLETS = {
  rounds: { take: async () => ({ wallets: [], moved: [], next: null }), finish: async () => {} },
  compare: async () => ({ kind: 'unknown' }) as const,
  arePending: async () => ({ kind: 'unknown' }) as const,
  readTo: async () => '0',
  depositPatienceMs: 0,
};
