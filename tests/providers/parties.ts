// People on the sandbox's ledger and an order between them, for the tests of the escrow and ledger adapters.

import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import type { EscrowStep } from '../../server/src/providers/escrow-port.ts';
import type { LedgerAsset } from '../../server/src/providers/ledger-port.ts';
import { buildActivation } from '../../tools/ledger-envelopes.ts';
import { faucet, ledgerOf } from '../../tools/simulation/ledger-accounts.ts';
import { amount, type Simulators, take } from './provider-fixture.ts';

export type Parties = { buyer: Keypair; seller: Keypair; platform: Keypair; stranger: Keypair };

export const XLM: LedgerAsset = { code: 'XLM', issuer: null };

export function sign(simulators: Simulators, unsigned: string, ...by: Keypair[]): string {
  const transaction = TransactionBuilder.fromXDR(unsigned, simulators.network.passphrase);
  for (const key of by) transaction.sign(key);
  return transaction.toXDR();
}

export const soon = (simulators: Simulators): number => simulators.sandbox.clock.now() + 60_000;

/** An account that trusts the asset, made as the server makes them where there is a friendly account maker. */
export async function settle(
  simulators: Simulators,
  { usdc, trust = true }: { usdc?: string; trust?: boolean } = {},
): Promise<Keypair> {
  const person = Keypair.random();
  const address = person.publicKey();
  take(await simulators.network.friendbot(address));
  if (trust) {
    const { sequence } = take(await simulators.network.account(address))!;
    const terms = { passphrase: simulators.network.passphrase, source: { address, sequence } };
    const limits = { feePerOperation: 100n, validUntil: soon(simulators) };
    const { unsigned } = buildActivation(
      { ...terms, ...limits },
      { address, startingBalance: null, trust: [simulators.asset] },
    );
    take(await simulators.network.submit(sign(simulators, unsigned, person)));
  }
  if (usdc !== undefined) await faucet(ledgerOf(simulators.sandbox), { address, asset: 'USDC', amount: usdc });
  return person;
}

export async function gather(simulators: Simulators): Promise<Parties> {
  const buyer = await settle(simulators, { usdc: '1000' });
  const stranger = await settle(simulators, { usdc: '1000' });
  return { buyer, stranger, seller: await settle(simulators), platform: await settle(simulators) };
}

export const usdcOf = async (simulators: Simulators, address: string) =>
  take(await simulators.network.account(address))?.balances.find(({ asset }) => asset.code === 'USDC')?.amount ?? null;

const rolesOf = ({ buyer, seller, platform }: Parties) => ({
  approver: buyer.publicKey(),
  serviceProvider: seller.publicKey(),
  platform: platform.publicKey(),
  releaseSigner: buyer.publicKey(),
  disputeResolver: platform.publicKey(),
});

type Deploy<T> = Extract<EscrowStep, { kind: 'deploy'; type: T }>;

const common = (simulators: Simulators, parties: Parties) => ({
  ...({ kind: 'deploy', signer: parties.buyer.publicKey(), title: 'A garden', description: 'With a fence' } as const),
  roles: rolesOf(parties),
  platformFeeBps: 500,
  asset: simulators.asset,
});

export const single = (
  simulators: Simulators,
  parties: Parties,
  change: Partial<Deploy<'single-release'>> = {},
): EscrowStep => ({
  ...common(simulators, parties),
  type: 'single-release',
  engagementId: 'ord_1',
  amount: amount('10'),
  receiver: parties.seller.publicKey(),
  milestones: [{ description: 'All of it' }],
  ...change,
});

export const multi = (
  simulators: Simulators,
  parties: Parties,
  change: Partial<Deploy<'multi-release'>> = {},
): EscrowStep => {
  const receiver = parties.seller.publicKey();
  const milestones = [
    { description: 'Walls', amount: amount('10'), receiver },
    { description: 'Roof', amount: amount('20'), receiver },
  ];
  return { ...common(simulators, parties), type: 'multi-release', engagementId: 'ord_2', milestones, ...change };
};

/** Prepares, signs and submits; each must be a yes. */
export async function perform(simulators: Simulators, step: EscrowStep, by: Keypair): Promise<string | null> {
  const { unsignedTransaction } = take(await simulators.escrow.prepare(step));
  return take(await simulators.escrow.submit(sign(simulators, unsignedTransaction, by))).contractId;
}

type Of = { type: EscrowStep['type']; contractId: string };

/** Every call of a contract with the right signer; `change` makes a call wrong. */
export function stepsOf(parties: Parties, { type, contractId }: Of) {
  const [buyer, seller, platform] = [parties.buyer, parties.seller, parties.platform].map((key) => key.publicKey());
  const place = { type, contractId, ...(type === 'multi-release' ? { milestone: 0 } : {}) };
  const step = (fields: object, change: object) => ({ ...place, ...fields, ...change }) as EscrowStep;
  const shares = [{ address: buyer, amount: amount('10') }];
  return {
    fund: (change = {}) => step({ kind: 'fund', signer: buyer, amount: amount('10') }, change),
    status: (change = {}) => step({ kind: 'change-status', signer: seller, milestone: 0, status: 'done' }, change),
    approve: (change = {}) => step({ kind: 'approve', signer: buyer, milestone: 0 }, change),
    release: (change = {}) => step({ kind: 'release', signer: buyer }, change),
    dispute: (change = {}) => step({ kind: 'dispute', signer: buyer }, change),
    resolve: (change = {}) => step({ kind: 'resolve', signer: platform, shares }, change),
    withdraw: (change = {}) => step({ kind: 'withdraw-remaining', signer: platform, shares }, change),
  };
}
