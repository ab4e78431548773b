// The challenge with which a user proves to hold the key of an address, in the form of SEP-10: a transaction that no ledger accepts
// (sequence number 0), signed by this server and then by the wallet. Nothing is stored: the challenge names its user and its end.

import { hkdfSync, randomBytes } from 'node:crypto';
import type { Keypair, WebAuth } from '@stellar/stellar-sdk';
import { library } from '../../providers/network/library.ts';
import type { LedgerAccount } from '../../providers/ports.ts';

/** A challenge belongs to one user of one marketplace, so that it proves nothing elsewhere. */
type Holder = { readonly marketplaceId: string; readonly userId: string };

type Options = {
  /** The first one signs, all of them are accepted. The same on every server. */
  readonly secrets: readonly string[];
  readonly networkPassphrase: string;
  readonly domain: string;
  readonly validForMs: number;
  now?(): number;
};

export type WalletChallenges = ReturnType<typeof createWalletChallenges>;

/** The address of the challenge, or why it is not a challenge of ours for this user. */
type Read = { readonly address: string; readonly server: string } | { readonly problem: string };

const FEE = '100';
const NONCE_BYTES = 48;
const KEY_BYTES = 32;
/** A key of its own: the secret also signs tokens. */
const KEY_PURPOSE = 'holdfast wallet challenge';
const SEQUENCE_BEFORE_ZERO = '-1';

const keyOf = (secret: string): Keypair =>
  library().Keypair.fromRawEd25519Seed(new Uint8Array(hkdfSync('sha256', secret, '', KEY_PURPOSE, KEY_BYTES)));

const sentenceOf = (error: unknown): string => `${error instanceof Error ? error.message : String(error)}.`;

type Challenge = ReturnType<typeof WebAuth.readChallengeTx>['tx'];

/** The data entries that this server has written besides those of SEP-10. */
const entryOf = (tx: Challenge, { name, server }: { name: string; server: string }): string | null => {
  for (const operation of tx.operations) {
    if (operation.type !== 'manageData' || operation.name !== name || operation.source !== server) continue;
    return operation.value ? Buffer.from(operation.value).toString('utf8') : null;
  }
  return null;
};

export const createWalletChallenges = ({ secrets, networkPassphrase, domain, validForMs, now = Date.now }: Options) => {
  let known: Keypair[] | null = null;
  const keysOf = (): Keypair[] => {
    known ??= secrets.map(keyOf);
    return known;
  };

  const readBy = (server: string, transaction: string) =>
    library().WebAuth.readChallengeTx(transaction, server, networkPassphrase, domain, domain);

  /** Reads it with the key that signed it. The last problem is reported. */
  const readOwn = (transaction: string): (ReturnType<typeof readBy> & { server: string }) | { problem: string } => {
    let problem = 'It is not a challenge of this server.';
    for (const key of keysOf()) {
      const server = key.publicKey();
      try {
        return { ...readBy(server, transaction), server };
      } catch (error) {
        problem = sentenceOf(error);
      }
    }
    return { problem };
  };

  return {
    domain,
    create({ marketplaceId, userId, address }: Holder & { address: string }) {
      const { Account, Operation, TransactionBuilder } = library();
      const signer = keysOf()[0]!;
      const server = signer.publicKey();
      const startS = Math.floor(now() / 1_000);
      const endS = startS + Math.floor(validForMs / 1_000);
      const nonce = randomBytes(NONCE_BYTES).toString('base64');
      const transaction = new TransactionBuilder(new Account(server, SEQUENCE_BEFORE_ZERO), {
        fee: FEE,
        networkPassphrase,
        timebounds: { minTime: startS, maxTime: endS },
      })
        .addOperation(Operation.manageData({ name: `${domain} auth`, value: nonce, source: address }))
        .addOperation(Operation.manageData({ name: 'web_auth_domain', value: domain, source: server }))
        .addOperation(Operation.manageData({ name: 'marketplace', value: marketplaceId, source: server }))
        .addOperation(Operation.manageData({ name: 'user', value: userId, source: server }))
        .build();
      transaction.sign(signer);
      return { transaction: transaction.toXDR(), signedBy: server, expiresAtMs: endS * 1_000 };
    },

    read(transaction: string, { marketplaceId, userId }: Holder): Read {
      const read = readOwn(transaction);
      if ('problem' in read) return read;
      const { tx, server, clientAccountID: address } = read;
      const isForHolder =
        entryOf(tx, { name: 'marketplace', server }) === marketplaceId &&
        entryOf(tx, { name: 'user', server }) === userId;
      if (!isForHolder) return { problem: 'The challenge was made for another user.' };
      // The library allows five minutes more, for clocks that differ. This server reads its own clock.
      if (BigInt(tx.timeBounds?.maxTime ?? 0) * 1_000n < BigInt(now()))
        return { problem: 'The challenge has expired.' };
      return { address, server };
    },

    /** Why the signatures do not prove the key; null when they do. Without an account on the ledger the address itself has to sign. */
    problemOf(
      transaction: string,
      { address, server, account }: { address: string; server: string; account: LedgerAccount | null },
    ): string | null {
      const signers = account?.signers.filter(({ weight }) => weight > 0) ?? [{ key: address, weight: 1 }];
      const summary = signers.map(({ key, weight }) => ({ key, weight, type: 'ed25519_public_key' }));
      const threshold = account?.mediumThreshold ?? 1;
      try {
        const { WebAuth } = library();
        WebAuth.verifyChallengeTxThreshold(transaction, server, networkPassphrase, threshold, summary, domain, domain);
        return null;
      } catch (error) {
        return sentenceOf(error);
      }
    },
  };
};
