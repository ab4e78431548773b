// What these routes take and give.
// Printed from contract/src/api/wallet-keys.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type WalletKeys = {
  /**
   * `announced`: the next key waits until every server has it. `resealing`: it seals, and older secrets are sealed
   * again. `idle`: no rotation runs.
   */
  phase: 'idle' | 'announced' | 'resealing';
  /** The key that seals new secrets. */
  sealingKeyId: string;
  /** The key that seals next. */
  announcedKeyId: string | null;
  /** When the last rotation was finished; null before the first and while one runs. */
  finishedAt: string | null;
  keys: {
    /** Id of the key: its version, or its label in the token. */
    keyId: string;
    /** Wallets that this key has sealed. */
    wallets: number;
    /** Provider credentials that this key has sealed. */
    credentials: number;
    /** No secret in the database needs the key any more. Keep a copy for as long as you keep backups from before. */
    removable: boolean;
  }[];
  /** Running servers. A rotation waits for all of them. */
  servers: {
    /** Id of the running server. */
    id: string;
    /** Host and process. */
    host: string;
    /** The keys that it has, the newest first. */
    keyIds: string[];
    /** The key that it seals with. */
    sealingKeyId: string;
    /** The announced key that it has proved to have. */
    confirmedKeyId: string | null;
    /** Its last heartbeat. */
    seenAt: string;
  }[];
};

export type RotateWalletKeysInput = {
  /** Id of the key; without it the newest one of the source. */
  keyId?: string;
};
