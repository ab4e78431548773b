// The challenge of a linked wallet: which signatures prove the key of an account, and for whom and how long it holds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { ZERO } from '../../server/src/books/money.ts';
import { createWalletChallenges } from '../../server/src/ledger/format/wallet-challenge.ts';
import type { LedgerAccount } from '../../server/src/providers/ports.ts';
import { PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';

const HOLDER = { marketplaceId: 'mkt_default', userId: 'usr_1' };

const challengesOf = (secrets: readonly string[], now = Date.now) =>
  createWalletChallenges({
    secrets,
    networkPassphrase: PASSPHRASE,
    domain: 'pay.shop.example',
    validForMs: 900_000,
    now,
  });

const signed = (transaction: string, keys: readonly Keypair[]): string => {
  const read = TransactionBuilder.fromXDR(transaction, PASSPHRASE);
  read.sign(...keys);
  return read.toXDR();
};

const accountOf = (address: string, signers: LedgerAccount['signers'], mediumThreshold: number): LedgerAccount => ({
  address,
  ledger: 1,
  sequence: 1n,
  balances: [],
  locked: ZERO,
  requiresMemo: false,
  signers,
  mediumThreshold,
});

test('an account with several signers needs the weight of its medium threshold', () => {
  const challenges = challengesOf(['a secret']);
  const [master, second, third] = [Keypair.random(), Keypair.random(), Keypair.random()] as const;
  const address = master.publicKey();
  const { transaction } = challenges.create({ ...HOLDER, address });
  const weighed = (weights: readonly number[]) =>
    [master, second, third].map((key, at) => ({ key: key.publicKey(), weight: weights[at]! }));
  const problem = (keys: readonly Keypair[], account: LedgerAccount | null): string | null => {
    const sent = signed(transaction, keys);
    const read = challenges.read(sent, HOLDER);
    assert.ok('address' in read);
    return challenges.problemOf(sent, { ...read, account });
  };
  const shared = accountOf(address, weighed([1, 1, 1]), 2);
  assert.equal(problem([master, second], shared), null);
  assert.equal(problem([second, third], shared), null, 'any of its signers');
  assert.match(problem([master], shared) ?? '', /do not meet threshold/);
  const handedOver = accountOf(address, weighed([0, 1, 0]), 1);
  assert.notEqual(problem([master], handedOver), null, 'the own key may no longer sign for the account');
  assert.equal(problem([second], handedOver), null);
  assert.equal(problem([master], null), null, 'an address without an account has only its own key');
  assert.notEqual(problem([second], null), null);
});

test('a challenge is for one user of one marketplace, of this server, and until its end', () => {
  const challenges = challengesOf(['new secret', 'old secret']);
  const key = Keypair.random();
  const { transaction } = challenges.create({ ...HOLDER, address: key.publicKey() });
  assert.ok('address' in challenges.read(transaction, HOLDER));
  for (const other of [
    { ...HOLDER, userId: 'usr_2' },
    { ...HOLDER, marketplaceId: 'mkt_other' },
  ]) {
    assert.deepEqual(challenges.read(transaction, other), { problem: 'The challenge was made for another user.' });
  }
  const earlier = challengesOf(['old secret']).create({ ...HOLDER, address: key.publicKey() });
  assert.ok('address' in challenges.read(earlier.transaction, HOLDER), 'a secret that is being replaced still counts');
  const foreign = challengesOf(['foreign secret']).create({ ...HOLDER, address: key.publicKey() });
  assert.ok('problem' in challenges.read(foreign.transaction, HOLDER));
  const sixteenMinutesAgo = () => Date.now() - 960_000;
  const over = challengesOf(['new secret'], sixteenMinutesAgo).create({ ...HOLDER, address: key.publicKey() });
  assert.deepEqual(challenges.read(over.transaction, HOLDER), { problem: 'The challenge has expired.' });
});
