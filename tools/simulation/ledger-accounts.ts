// People on the sandbox's ledger, for its tests: accounts with money, and what they do through the official client.

import { Asset, Horizon, Keypair, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/src/sandbox-config.ts';
import { afterwards, type Hooks } from '../test-database/afterwards.ts';

export const PASSPHRASE = 'Holdfast Sandbox Network ; 2026';

export type Ledger = { sandbox: Sandbox; horizon: Horizon.Server; usdc: Asset; issuer: string; protocolFees: string };

export async function openLedger(t: Hooks, options: SandboxOptions = {}): Promise<Ledger> {
  const sandbox = await startSandbox({ port: 0, ...options });
  afterwards(t, () => sandbox.close());
  return ledgerOf(sandbox);
}

export function ledgerOf(sandbox: Sandbox): Ledger {
  const { usdcIssuer: issuer, protocolFees } = sandbox.describe().network as Record<string, string>;
  const horizon = new Horizon.Server(sandbox.urls.ledger, { allowHttp: true });
  return { sandbox, horizon, usdc: new Asset('USDC', issuer), issuer: issuer!, protocolFees: protocolFees! };
}

type Wanted = { usdc?: string; trust?: boolean };

// With 10,000 XLM from the friendly account maker, less the fee of its trustline.
export async function settle(ledger: Ledger, { usdc, trust = true }: Wanted = {}): Promise<Keypair> {
  const person = Keypair.random();
  const made = await fetch(`${ledger.sandbox.urls.ledger}/friendbot?addr=${person.publicKey()}`);
  if (!made.ok) throw new Error(await made.text());
  if (trust) await perform(ledger, { by: person, operations: [Operation.changeTrust({ asset: ledger.usdc })] });
  if (usdc !== undefined) await faucet(ledger, { address: person.publicKey(), asset: 'USDC', amount: usdc });
  return person;
}

export async function faucet({ sandbox }: Ledger, body: { address: string; asset: string; amount: string }) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.urls.control}/faucet`, { method: 'POST', headers, body: JSON.stringify(body) });
  const told = (await answer.json()) as { hash?: string; error?: string };
  return { status: answer.status, ...told };
}

type Deed = {
  by: Keypair;
  operations: xdr.Operation[];
  signers?: Keypair[];
  bounds?: { minTime: number; maxTime: number };
  fee?: string;
};

// Built by hand where a test wants it wrong.
export async function write(ledger: Ledger, { by, operations, signers, bounds, fee = '100' }: Deed) {
  const source = await ledger.horizon.loadAccount(by.publicKey());
  const timebounds = bounds ?? { minTime: 0, maxTime: Math.floor(ledger.sandbox.clock.now() / 1_000) + 60 };
  const builder = new TransactionBuilder(source, { fee, networkPassphrase: PASSPHRASE, timebounds });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.build();
  for (const signer of signers ?? [by]) transaction.sign(signer);
  return transaction;
}

export async function perform(ledger: Ledger, deed: Deed) {
  return ledger.horizon.submitTransaction(await write(ledger, deed), { skipMemoRequiredCheck: true });
}

// The codes with which the network said no.
export async function codesOf(submission: Promise<unknown>): Promise<{ transaction: string; operations?: string[] }> {
  try {
    await submission;
  } catch (error) {
    const { response } = error as { response?: { data?: { extras?: { result_codes: never } }; status?: number } };
    const codes = response?.data?.extras?.result_codes;
    if (codes !== undefined) return codes;
    throw error;
  }
  throw new Error('The network took it.');
}

export async function balances({ horizon }: Ledger, address: string): Promise<{ usdc: string | null; xlm: string }> {
  const { balances: lines } = await horizon.loadAccount(address);
  const usdc = lines.find((line) => 'asset_code' in line && line.asset_code === 'USDC')?.balance ?? null;
  return { usdc, xlm: lines.find((line) => line.asset_type === 'native')!.balance };
}
