// A custodial wallet made before the command that keeps it: sealing a secret takes time that a decision does not have.

export type PreparedWallet = { readonly id: string; readonly address: string; readonly sealedSecret: string };
