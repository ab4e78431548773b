// Custodial wallets on the sandbox's ledger, the signer that keeps their keys, and the escrow provider that prepares
// transactions for them. All parts are real, and tests can read the log lines.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { Account, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { fromUnits, parseAmount } from '../../server/src/books/money.ts';
import type { DeployStep, Expectation, Purpose } from '../../server/src/ledger/keys/check-transaction.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { createSigner, type Signed } from '../../server/src/ledger/keys/signer.ts';
import type { PreparedWallet } from '../../server/src/ledger/keys/wallet.ts';
import { walletMaker } from '../../server/src/ledger/keys/wallet-keys.ts';
import { createEscrowProvider } from '../../server/src/providers/escrow/escrow-provider.ts';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import type { EscrowStep } from '../../server/src/providers/ports.ts';
import { faucet, type Ledger, openLedger, PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';

export const MARKETPLACE = 'mkt_default';
export const usdc = (amount: string) => parseAmount(amount)!;

export type Signing = Awaited<ReturnType<typeof openSigning>>;

type Clock = Ledger['sandbox']['clock'];

const factoriesOf = (ledger: Ledger) => {
  const described = ledger.sandbox.describe().escrowFactories as Record<string, string>;
  return {
    'single-release': { address: described['single-release']!, codeHash: null },
    'multi-release': { address: described['multi-release']!, codeHash: null },
  };
};

/** What the signer is told to expect, and what it does with it. */
const signaturesOf = (of: { signer: ReturnType<typeof createSigner>; logs: readonly string[]; clock: Clock }) => {
  const { signer, logs, clock } = of;

  const expect = (source: string, purpose: Purpose): Expectation => ({
    networkPassphrase: PASSPHRASE,
    source,
    feeMax: fromUnits(10_000n),
    ledgerTimeMs: clock.now(),
    validMaxMs: 600_000,
    purpose,
  });

  const signed = async (envelopeXdr: string, ask: { expectation: Expectation; wallets: readonly PreparedWallet[] }) => {
    const outcome = await signer.sign({ marketplaceId: MARKETPLACE, envelopeXdr, ...ask });
    assert.ok(outcome.kind === 'yes', 'reason' in outcome ? outcome.reason : '');
    return outcome.value;
  };

  /** The sentence with which it was not signed; the log has the same one, and nothing was opened. */
  const refused = async (
    envelopeXdr: string,
    ask: { expectation: Expectation; wallets: readonly PreparedWallet[] },
  ): Promise<string> => {
    const before = logs.length;
    const outcome = await signer.sign({ marketplaceId: MARKETPLACE, envelopeXdr, ...ask });
    assert.ok(outcome.kind === 'no');
    assert.equal(logs.length, before + 1);
    const { reason } = outcome;
    assert.ok(logs.at(-1)!.includes(JSON.stringify(reason).slice(1, -1)));
    return reason;
  };

  return { expect, signed, refused };
};

/** A transaction of this source, as our own builder makes it. */
const builderOf =
  (network: ReturnType<typeof createLedgerNetwork>, clock: Clock) =>
  async (source: string, operations: xdr.Operation[], change: object = {}): Promise<string> => {
    const account = await network.account(source);
    assert.ok(account.kind === 'yes' && account.value);
    const builder = new TransactionBuilder(new Account(source, String(account.value.sequence)), {
      fee: '100',
      networkPassphrase: PASSPHRASE,
      timebounds: { minTime: 0, maxTime: Math.floor(clock.now() / 1_000) + 300 },
      ...change,
    });
    for (const operation of operations) builder.addOperation(operation);
    return builder.build().toXDR();
  };

const preparerOf =
  (escrow: ReturnType<typeof createEscrowProvider>) =>
  async (step: EscrowStep): Promise<string> => {
    const answer = await escrow.prepare(step);
    if (answer.kind !== 'yes') throw new Error(`${step.kind}: ${answer.reason}`);
    return answer.value.unsignedTransaction;
  };

export const openSigning = async (t: TestContext) => {
  const ledger = await openLedger(t);
  const keeper = keepKeks([{ version: 1, key: randomBytes(32) }]);
  const logs: string[] = [];
  const asset = { code: 'USDC', issuer: ledger.issuer };
  const factories = factoriesOf(ledger);
  const common = {
    keeper,
    networkPassphrase: PASSPHRASE,
    asset,
    log: { warn: (fields: object, message: string) => void logs.push(JSON.stringify({ ...fields, message })) },
  };
  const signer = createSigner({ ...common, factories });
  const make = walletMaker(keeper);
  const { urls, clock } = ledger.sandbox;
  const network = createLedgerNetwork({ baseUrl: urls.ledger, timeoutMs: 5_000, passphrase: PASSPHRASE });
  const escrow = createEscrowProvider({ baseUrl: urls.escrow, timeoutMs: 5_000, apiKey: 'sandbox-escrow-key' });

  const { expect, signed, refused } = signaturesOf({ signer, logs, clock });

  const build = builderOf(network, clock);

  const submit = async ({ envelopeXdr, hash }: Signed): Promise<void> => {
    const answer = await network.submit(envelopeXdr);
    assert.equal(
      answer.kind,
      'yes',
      JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    );
    assert.ok(answer.kind === 'yes' && answer.value.hash === hash);
  };

  /** A wallet whose account exists and trusts the asset, by a transaction that the signer signed. */
  const settle = async (amount?: string): Promise<PreparedWallet> => {
    const wallet = await make(MARKETPLACE);
    const made = await network.friendbot(wallet.address);
    assert.equal(made.kind, 'yes');
    const purpose = { kind: 'actions', actions: [{ type: 'trust', walletId: wallet.id }] } as const;
    const xdrText = await build(wallet.address, [Operation.changeTrust({ asset: ledger.usdc })]);
    await submit(await signed(xdrText, { expectation: expect(wallet.address, purpose), wallets: [wallet] }));
    if (amount !== undefined) await faucet(ledger, { address: wallet.address, asset: 'USDC', amount });
    return wallet;
  };

  const prepare = preparerOf(escrow);

  /** Prepared, signed and sent; answers the contract. */
  const act = async (by: PreparedWallet, purpose: Extract<Purpose, { kind: 'escrow' }>): Promise<string> => {
    const outcome = await signed(await prepare(purpose.step), {
      expectation: expect(by.address, purpose),
      wallets: [by],
    });
    const sent = await escrow.submit(outcome.envelopeXdr);
    assert.equal(sent.kind, 'yes', 'reason' in sent ? sent.reason : '');
    if (sent.kind === 'yes' && sent.value.contractId !== null) assert.equal(sent.value.contractId, outcome.contractId);
    return outcome.contractId!;
  };

  return {
    ledger,
    keeper,
    signer,
    common,
    factories,
    logs,
    make,
    network,
    expect,
    signed,
    refused,
    build,
    submit,
    settle,
    prepare,
    act,
  };
};

export type Parties = { buyer: PreparedWallet; seller: PreparedWallet; platform: PreparedWallet };

export const openParties = async (signing: Signing): Promise<Parties> => ({
  buyer: await signing.settle('1000'),
  seller: await signing.settle(),
  platform: await signing.settle(),
});

/** The terms of an escrow of 30.00: in one payment, or in two of 10.00 and 20.00. */
export const termsOf = (
  { ledger }: { ledger: Ledger },
  { parties, type }: { parties: Parties; type: DeployStep['type'] },
): DeployStep => {
  const { buyer, seller, platform } = parties;
  const common = {
    kind: 'deploy',
    signer: buyer.address,
    engagementId: 'ord_1',
    title: 'A garden',
    description: 'With a fence',
    roles: {
      approver: buyer.address,
      serviceProvider: seller.address,
      platform: platform.address,
      releaseSigner: buyer.address,
      disputeResolver: platform.address,
    },
    platformFeeBps: 500,
    asset: { code: 'USDC', issuer: ledger.issuer },
  } as const;
  const receiver = seller.address;
  if (type === 'single-release') {
    return { ...common, type, receiver, amount: usdc('30'), milestones: [{ description: 'All of it' }] };
  }
  const milestones = [
    { description: 'Walls', amount: usdc('10'), receiver },
    { description: 'Roof', amount: usdc('20'), receiver },
  ];
  return { ...common, type, milestones };
};

/** The same transaction with something changed in it, as a dishonest provider would. */
export const tampered = (text: string, change: (tx: xdr.Transaction) => void): string => {
  const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
  if (envelope.type !== 'envelopeTypeTx') throw new Error('not a transaction');
  change(envelope.v1.tx);
  return envelope.toXdr('base64');
};
