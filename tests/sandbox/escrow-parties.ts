// The parties of an escrow and what they do through the escrow provider's simulator, for its tests.

import { type Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import type { SandboxOptions } from '../../sandbox/src/sandbox-config.ts';
import { type Ledger, openLedger, PASSPHRASE, settle } from '../../tools/simulation/ledger-accounts.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';

export type Answer = {
  status: number;
  body: {
    status?: string;
    message?: string;
    code?: number;
    unsignedTransaction?: string;
    contractId?: string;
    escrow?: Record<string, unknown>;
  };
};
export type Cast = { ledger: Ledger; buyer: Keypair; seller: Keypair; platform: Keypair; stranger: Keypair };

export async function openEscrows(t: Hooks, options: SandboxOptions = {}): Promise<Cast> {
  const ledger = await openLedger(t, options);
  const buyer = await settle(ledger, { usdc: '1000' });
  const stranger = await settle(ledger, { usdc: '1000' });
  return { ledger, buyer, stranger, seller: await settle(ledger), platform: await settle(ledger) };
}

export async function ask({ ledger }: Cast, path: string, body?: unknown, method = 'POST'): Promise<Answer> {
  const headers = { 'x-api-key': 'sandbox-escrow-key', 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(ledger.sandbox.urls.escrow + path, init);
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

export const send = (cast: Cast, signedXdr: string) => ask(cast, '/helper/send-transaction', { signedXdr });

export function sign(unsigned: string | undefined, by: Keypair): string {
  const transaction = TransactionBuilder.fromXDR(unsigned!, PASSPHRASE);
  transaction.sign(by);
  return transaction.toXDR();
}

type Step = { path: string; body: unknown; by: Keypair; method?: string };

// Prepares, signs and sends. A refusal at either point is the answer.
export async function act(cast: Cast, { path, body, by, method }: Step): Promise<Answer> {
  const prepared = await ask(cast, path, body, method);
  if (prepared.status !== 201) return prepared;
  return send(cast, sign(prepared.body.unsignedTransaction, by));
}

export async function mustAct(cast: Cast, step: Step): Promise<Answer['body']> {
  const { status, body } = await act(cast, step);
  if (status !== 200 || body.status !== 'SUCCESS') throw new Error(`${step.path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

export const trustline = ({ ledger }: Cast) => ({ address: ledger.issuer, symbol: 'USDC' });

export function roles({ buyer, seller, platform }: Cast) {
  return {
    approver: buyer.publicKey(),
    serviceProvider: seller.publicKey(),
    platformAddress: platform.publicKey(),
    releaseSigner: buyer.publicKey(),
    disputeResolver: platform.publicKey(),
  };
}

export function singleBody(cast: Cast, change: Record<string, unknown> = {}) {
  return {
    signer: cast.buyer.publicKey(),
    engagementId: 'ord_1',
    title: 'A garden',
    description: 'With a fence',
    roles: { ...roles(cast), receiver: cast.seller.publicKey() },
    amount: 10,
    platformFee: 5,
    milestones: [{ description: 'All of it' }],
    trustline: trustline(cast),
    ...change,
  };
}

export function multiBody(cast: Cast, change: Record<string, unknown> = {}) {
  const receiver = cast.seller.publicKey();
  return {
    signer: cast.buyer.publicKey(),
    engagementId: 'ord_2',
    title: 'A house',
    description: 'In two parts',
    roles: roles(cast),
    platformFee: 5,
    milestones: [
      { description: 'Walls', amount: 10, receiver },
      { description: 'Roof', amount: 20, receiver },
    ],
    trustline: trustline(cast),
    ...change,
  };
}

export type Kind = 'single-release' | 'multi-release';

export async function deploy(cast: Cast, type: Kind, change: Record<string, unknown> = {}): Promise<string> {
  const body = type === 'single-release' ? singleBody(cast, change) : multiBody(cast, change);
  const { contractId } = await mustAct(cast, { path: `/deployer/${type}`, body, by: cast.buyer });
  return contractId!;
}

export function fund(cast: Cast, { type, contractId, amount }: { type: Kind; contractId: string; amount: number }) {
  const body = { contractId, signer: cast.buyer.publicKey(), amount };
  return mustAct(cast, { path: `/escrow/${type}/fund-escrow`, body, by: cast.buyer });
}

export async function finish(
  cast: Cast,
  { type, contractId, index }: { type: Kind; contractId: string; index: number },
) {
  const milestoneIndex = String(index);
  const status = { contractId, milestoneIndex, newStatus: 'completed', serviceProvider: cast.seller.publicKey() };
  await mustAct(cast, { path: `/escrow/${type}/change-milestone-status`, body: status, by: cast.seller });
  const approval = { contractId, milestoneIndex, approver: cast.buyer.publicKey() };
  await mustAct(cast, { path: `/escrow/${type}/approve-milestone`, body: approval, by: cast.buyer });
}

export async function record(cast: Cast, contractId: string): Promise<Record<string, unknown>> {
  const path = `/helper/get-escrow-by-contract-ids?contractIds[]=${contractId}&validateOnChain=true`;
  const { body } = await ask(cast, path);
  return (body as unknown as Record<string, unknown>[])[0]!;
}
