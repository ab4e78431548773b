// The yardstick of an order's life: the same five calls of a contract, prepared, signed, submitted and looked up once, by a
// script that keeps nothing, checks nothing and would lose money at the first doubt.

import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { fromUnits } from '../../server/src/books/money.ts';
import { createEscrowProvider } from '../../server/src/providers/escrow/escrow-provider.ts';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import type { Answer, EscrowStep } from '../../server/src/providers/ports.ts';
import { buildActivation } from '../../tools/ledger-envelopes.ts';
import type { Simulators } from './simulators.ts';

const AMOUNT = fromUnits(10_000_000n);
const HOUR_MS = 3_600_000;

const take = <T>(answer: Answer<T>): T => {
  if (answer.kind === 'yes') return answer.value;
  throw new Error(`the yardstick was refused: ${answer.reason}`);
};

const faucet = async (simulators: Simulators, address: string, amount: string): Promise<void> => {
  const body = JSON.stringify({ address, asset: 'USDC', amount });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${simulators.url}/control/faucet`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
};

export const openBareLives = async (simulators: Simulators, buyers: number) => {
  const asset = { code: 'USDC', issuer: simulators.issuer };
  const { passphrase } = simulators;
  const common = { timeoutMs: 30_000, concurrencyMax: 1_000 };
  const escrow = createEscrowProvider({
    ...common,
    baseUrl: `${simulators.url}/escrow-provider`,
    apiKey: 'sandbox-escrow-key',
  });
  const network = createLedgerNetwork({ ...common, baseUrl: `${simulators.url}/ledger`, passphrase });

  const sign = (unsigned: string, key: Keypair) => {
    const transaction = TransactionBuilder.fromXDR(unsigned, passphrase);
    transaction.sign(key);
    return { envelope: transaction.toXDR(), hash: Buffer.from(transaction.hash()).toString('hex') };
  };

  const person = async (): Promise<Keypair> => {
    const key = Keypair.random();
    const address = key.publicKey();
    take(await network.friendbot(address));
    const { sequence } = take(await network.account(address))!;
    const source = { address, sequence };
    const { unsigned } = buildActivation(
      { passphrase, source, feePerOperation: 100n, validUntil: Date.now() + HOUR_MS },
      { address, startingBalance: null, trust: [asset] },
    );
    take(await network.submit(sign(unsigned, key).envelope));
    return key;
  };

  const call = async (step: EscrowStep, key: Keypair): Promise<string | null> => {
    const { unsignedTransaction } = take(await escrow.prepare(step));
    const { envelope, hash } = sign(unsignedTransaction, key);
    const { contractId } = take(await escrow.submit(envelope));
    take(await network.transaction(hash));
    return contractId;
  };

  const platform = await person();
  const pairs = await Promise.all(
    Array.from({ length: buyers }, async () => {
      const [buyer, seller] = await Promise.all([person(), person()]);
      await faucet(simulators, buyer.publicKey(), '1000000');
      return { buyer, seller };
    }),
  );
  let made = 0;

  /** One whole life, by the pair of that number. */
  return async (pair: number): Promise<void> => {
    const { buyer, seller } = pairs[pair % pairs.length]!;
    const b = buyer.publicKey();
    const s = seller.publicKey();
    const p = platform.publicKey();
    const contractId = await call(
      {
        kind: 'deploy',
        type: 'single-release',
        signer: b,
        engagementId: `bare-${++made}`,
        title: 'A table',
        description: 'Held.',
        platformFeeBps: 500,
        asset,
        receiver: s,
        amount: AMOUNT,
        roles: { approver: b, serviceProvider: s, platform: p, releaseSigner: b, disputeResolver: p },
        milestones: [{ description: 'A table' }],
      },
      buyer,
    );
    if (contractId === null) throw new Error('the yardstick has no contract');
    const at = { type: 'single-release', contractId } as const;
    await call({ ...at, kind: 'fund', signer: b, amount: AMOUNT }, buyer);
    await call({ ...at, kind: 'change-status', signer: s, milestone: 0, status: 'completed' }, seller);
    await call({ ...at, kind: 'approve', signer: b, milestone: 0 }, buyer);
    await call({ ...at, kind: 'release', signer: b }, buyer);
  };
};
