// An order's escrow as the ledger parts use it: wallets of a buyer, a seller and the platform on the sandbox's ledger, the rows
// of an escrow and of its running operation, and every call of its contract by name.

import assert from 'node:assert/strict';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type { OperationKind } from '@holdfast/contract/states.ts';
import { type Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import { newId } from '../../server/src/base/ulid.ts';
import type { DeployStep } from '../../server/src/ledger/keys/check-transaction.ts';
import type { Wallet } from '../../server/src/ledger/keys/wallet.ts';
import type { EscrowAction } from '../../server/src/ledger/transactions/contract-moves.ts';
import type { TransactionOutcome } from '../../server/src/ledger/transactions/outcome.ts';
import {
  type CallName as AnyCall,
  callKey,
  type DoneCall,
  deployedContract,
  type Escrow,
} from '../../server/src/modules/escrows/escrow.ts';
import type { EscrowShare, EscrowStep, EscrowType } from '../../server/src/providers/ports.ts';
import { ledgerOf, PASSPHRASE, settle } from '../../tools/simulation/ledger-accounts.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import {
  amount,
  type Environment,
  faucet,
  MARKETPLACE,
  openEnvironment,
  type Process,
  shareServer,
  startProcess,
} from './ledger-fixture.ts';
import { changeEscrow, openEscrow, openOperation } from './operation-rows.ts';

export type Wanted = {
  readonly type?: EscrowType;
  readonly currency?: Currency;
  /** What the buyer's wallet has on the ledger. */
  readonly buyerHas?: string;
};

type Asked = { readonly milestone?: number; readonly shares?: { seller: string; buyer: string } };

/** The calls of an order's life. */
export type CallName = Exclude<AnyCall, 'withdraw-remaining'>;

const SIGNERS = {
  deploy: 'buyer',
  fund: 'buyer',
  'change-status': 'seller',
  approve: 'buyer',
  release: 'buyer',
  dispute: 'buyer',
  resolve: 'platform',
} as const;

/** 30.00 at 5 %: in one payment, or in two of 10.00 and 20.00. */
const AMOUNT = '30';
const FEE_BPS = 500;

export type TestOrder = Awaited<ReturnType<typeof openTestOrder>>;

const richIn = async (
  server: Process,
  { urls }: Environment,
  { currency, sum }: { currency: Currency; sum: string },
) => {
  const wallet = await server.user();
  const asset = currency === 'XLM' ? 'XLM' : 'USDC';
  if (sum !== '0') await faucet(urls.control, { address: wallet.address, asset, amount: sum });
  await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: wallet.id });
  return wallet;
};

const termsOf = (of: {
  type: EscrowType;
  orderId: string;
  parties: Parties;
  asset: DeployStep['asset'];
}): DeployStep => {
  const { buyer, seller, platform } = of.parties;
  const roles = {
    approver: buyer.address,
    serviceProvider: seller.address,
    platform: platform.address,
    releaseSigner: buyer.address,
    disputeResolver: platform.address,
  };
  const common = {
    kind: 'deploy',
    signer: buyer.address,
    engagementId: of.orderId,
    title: 'A garden',
    description: 'All of it',
    roles,
    platformFeeBps: FEE_BPS,
    asset: of.asset,
  } as const;
  const receiver = seller.address;
  if (of.type === 'single-release') {
    return { ...common, type: of.type, receiver, amount: amount(AMOUNT), milestones: [{ description: 'All of it' }] };
  }
  const milestones = [
    { description: 'Walls', amount: amount('10'), receiver },
    { description: 'Roof', amount: amount('20'), receiver },
  ];
  return { ...common, type: of.type, milestones };
};

type Parties = Record<'buyer' | 'seller' | 'platform', Wallet>;

/** Rows and wallets of one order; `server` is the process that made them, and any other may make its calls. */
export const openTestOrder = async (server: Process, environment: Environment, wanted: Wanted = {}) => {
  const { currency = 'USD', buyerHas = AMOUNT } = wanted;
  const [buyer, seller] = await Promise.all([richIn(server, environment, { currency, sum: buyerHas }), server.user()]);
  const ours = await server.platformWallets.platform(MARKETPLACE);
  const platform = await server.payFees(await server.activate(ours));
  const parties = { buyer, seller, platform };
  const order = await openRows(server, { wanted, parties, orderId: newId('order', Date.now()) });
  return {
    ...order,
    /** Another order of the same buyer and seller. */
    sibling: () => openRows(server, { wanted, parties, orderId: newId('order', Date.now()) }),
    /** After a failure: the order's next escrow, which uses the existing contract. */
    async again(contractId: string) {
      await order.keep({ setAside: true, status: 'CREATED' });
      await server.endOperation(order.operationId());
      const next = await openRows(server, { wanted, parties, orderId: order.orderId });
      const calls = [{ call: 'deploy', milestone: null, contractId }] as const;
      await next.keep({ status: 'CREATED', providerContractId: contractId, calls });
      await next.begin('fund-escrow');
      return next;
    },
  };
};

type Rows = {
  readonly wanted: Wanted;
  readonly parties: Parties;
  readonly ids: { readonly orderId: string; readonly escrowId: string };
  readonly terms: DeployStep;
  escrow(): Promise<Escrow>;
  operationId(): string;
};

/** Each call of the contract: the step that the provider prepares, and the action that the books record. */
const callsOf = ({ wanted, parties, ids, terms, escrow, operationId }: Rows) => {
  const { type = 'single-release', currency = 'USD' } = wanted;
  const { buyer, seller, platform } = parties;

  const sharesOf = ({ shares }: Asked): EscrowShare[] =>
    [
      { address: seller.address, amount: amount(shares?.seller ?? '0') },
      { address: buyer.address, amount: amount(shares?.buyer ?? '0') },
    ].filter((share) => share.amount > 0n);

  const stepOf = async (call: CallName, asked: Asked): Promise<EscrowStep> => {
    if (call === 'deploy') return terms;
    const at = { contractId: (await escrow()).providerContractId!, signer: parties[SIGNERS[call]].address };
    const milestone = asked.milestone ?? 0;
    if (call === 'fund') return { ...at, type, kind: call, amount: amount(AMOUNT) };
    if (call === 'change-status') return { ...at, type, kind: call, milestone, status: 'completed' };
    if (call === 'approve') return { ...at, type, kind: call, milestone };
    if (type === 'single-release') {
      return call === 'resolve' ? { ...at, type, kind: call, shares: sharesOf(asked) } : { ...at, type, kind: call };
    }
    const each = { ...at, type, milestone };
    return call === 'resolve' ? { ...each, kind: call, shares: sharesOf(asked) } : { ...each, kind: call };
  };

  const actionOf = async (call: CallName, asked: Asked): Promise<EscrowAction> => {
    const isWhole = call === 'deploy' || call === 'fund' || (type === 'single-release' && !isWork(call));
    const sellerGets = asked.shares?.seller ?? '0';
    const buyerGets = asked.shares?.buyer ?? '0';
    return {
      type: 'escrow',
      operationId: operationId(),
      ...ids,
      call,
      milestone: isWhole ? null : (asked.milestone ?? 0),
      currency,
      contractId: (await escrow()).providerContractId,
      addresses: [buyer.address, seller.address, platform.address],
      units: call === 'fund' ? String(amount(AMOUNT)) : null,
      ...(call === 'resolve'
        ? { sellerUnits: String(amount(sellerGets) ?? 0n), buyerUnits: String(amount(buyerGets) ?? 0n) }
        : {}),
    };
  };

  return { stepOf, actionOf };
};

type Opening = { readonly wanted: Wanted; readonly parties: Parties; readonly orderId: string };

type Written = Pick<Rows, 'wanted' | 'parties' | 'ids'>;

const writeEscrow = async (server: Process, { wanted, parties, ids }: Written): Promise<void> => {
  const partyOf = ({ id: walletId, address }: Wallet) => ({ walletId, address });
  await server.run(openEscrow, {
    id: ids.escrowId,
    orderId: ids.orderId,
    currency: wanted.currency ?? 'USD',
    contractType: wanted.type ?? 'single-release',
    platformFeeBps: FEE_BPS,
    amount: amount(AMOUNT),
    buyer: partyOf(parties.buyer),
    seller: partyOf(parties.seller),
    platform: partyOf(parties.platform),
  });
};

const readEscrow = async (server: Process, escrowId: string): Promise<Escrow> => {
  const { rows } = await server.pool.query(
    'select calls, transaction_id as "transactionId", provider_contract_id as "providerContractId" from escrows where id = $1',
    [escrowId],
  );
  return rows[0];
};

/** What a call contains, and the process that sends it. */
type AskedOf = Asked & { by?: Process };

type Done = Extract<TransactionOutcome, { kind: 'yes' }>;

const openRows = async (server: Process, { wanted, parties, orderId }: Opening) => {
  const { type = 'single-release', currency = 'USD' } = wanted;
  const { buyer } = parties;
  const ids = { orderId, escrowId: newId('escrow', Date.now()) };
  await writeEscrow(server, { wanted, parties, ids });
  const asset = currency === 'XLM' ? { code: 'XLM', issuer: null } : server.usdc;
  const terms = termsOf({ type, orderId: ids.orderId, parties, asset });
  let operationId = '';

  const escrow = () => readEscrow(server, ids.escrowId);

  /** A new operation, after the previous one has ended. */
  const begin = async (kind: OperationKind): Promise<string> => {
    if (operationId !== '') await server.endOperation(operationId);
    operationId = newId('operation', Date.now());
    const walletId = kind === 'fund-escrow' ? buyer.id : null;
    await server.run(openOperation, { ...ids, id: operationId, kind, walletId, currency, amount: amount(AMOUNT) });
    return operationId;
  };
  await begin('create-escrow');

  const { stepOf, actionOf } = callsOf({ wanted, parties, ids, terms, escrow, operationId: () => operationId });

  const send = async (call: CallName, { by = server, ...asked }: AskedOf = {}): Promise<TransactionOutcome> => {
    const wallet = (await by.wallets.find(MARKETPLACE, parties[SIGNERS[call]].id))!;
    const step = await stepOf(call, asked);
    const action = await actionOf(call, asked);
    return by.calls.send({ marketplaceId: MARKETPLACE, wallet, step, action, ...(call === 'fund' ? { terms } : {}) });
  };

  const keep = (change: Partial<Escrow>) => server.run(changeEscrow, { id: ids.escrowId, change });

  /** Sends a call that has to be done. */
  const make = async (call: CallName, asked: AskedOf = {}): Promise<Done> => {
    const sent = await send(call, asked);
    assert.equal(sent.kind, 'yes', 'reason' in sent ? sent.reason : '');
    return sent as Done;
  };

  const deploy = async (): Promise<string> => {
    const made = await make('deploy');
    // On a slow machine the provider's answer may be late. The contract of the deployment is then in the books.
    const contractId = made.contractId ?? deployedContract(await escrow())!;
    await keep({ status: 'CREATED', providerContractId: contractId });
    return contractId;
  };

  return {
    ...parties,
    ...ids,
    terms,
    escrow,
    begin,
    send,
    make,
    keep,
    deploy,
    operationId: () => operationId,
    /** Deployed and ready to be funded. */
    async deployed(): Promise<string> {
      const contractId = await deploy();
      await begin('fund-escrow');
      return contractId;
    },
    async funded(): Promise<string> {
      const contractId = await deploy();
      await begin('fund-escrow');
      await make('fund');
      await keep({ status: 'FUNDED' });
      await begin('release');
      return contractId;
    },
    calls: async (): Promise<string[]> => (await escrow()).calls.map((done: DoneCall) => callKey(done)),
  };
};

const isWork = (call: CallName): boolean => call === 'change-status' || call === 'approve';

export type EscrowFixture = { readonly environment: Environment; readonly server: Process; readonly order: TestOrder };

/** A short timeout, so that an unanswered call ends soon. */
export const SHORT_TIMEOUT = { timeoutMs: 1_000 };

/** A ledger, a database, one process and one order. */
export const openEscrowFixture = async (t: Hooks, wanted: Wanted = {}): Promise<EscrowFixture> => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, SHORT_TIMEOUT);
  return { environment, server, order: await openTestOrder(server, environment, wanted) };
};

/** A new order with its own buyer and seller on each call, in one environment for all tests of a file. */
export const shareEscrowFixtures = (): ((wanted?: Wanted) => Promise<EscrowFixture>) => {
  const shared = shareServer(SHORT_TIMEOUT);
  return async (wanted = {}) => {
    const { environment, server } = shared();
    return { environment, server, order: await openTestOrder(server, environment, wanted) };
  };
};

/** A third party pays into the contract, which everyone can do. */
export const payInto = async (
  { environment, server }: { environment: Environment; server: Process },
  { type, contractId, sum }: { type: EscrowType; contractId: string; sum: string },
): Promise<void> => {
  const outsider: Keypair = await settle(ledgerOf(environment.sandbox), { usdc: sum });
  const step = { kind: 'fund', type, contractId, signer: outsider.publicKey(), amount: amount(sum) } as const;
  const prepared = await server.provider.prepare(step);
  assert.ok(prepared.kind === 'yes');
  const transaction = TransactionBuilder.fromXDR(prepared.value.unsignedTransaction, PASSPHRASE);
  transaction.sign(outsider);
  assert.equal((await server.provider.submit(transaction.toXDR())).kind, 'yes');
};

/** A call that no row of the database knows, signed by a custodial wallet. */
export const callWithoutRows = async (
  { provider, signer }: Process,
  { by, step }: { by: Wallet; step: Exclude<EscrowStep, { kind: 'fund' }> },
): Promise<void> => {
  const prepared = await provider.prepare(step);
  assert.ok(prepared.kind === 'yes', 'reason' in prepared ? prepared.reason : '');
  const signed = await signer.sign({
    marketplaceId: MARKETPLACE,
    envelopeXdr: prepared.value.unsignedTransaction,
    expectation: {
      networkPassphrase: PASSPHRASE,
      source: by.address,
      feeMax: amount('10'),
      ledgerTimeMs: Date.now(),
      validMaxMs: 3_600_000,
      purpose: { kind: 'escrow', step },
    },
    wallets: [by],
  });
  assert.ok(signed.kind === 'yes', 'reason' in signed ? signed.reason : '');
  assert.equal((await provider.submit(signed.value.envelopeXdr)).kind, 'yes');
};

type Described = { type: string; source: string; successful: boolean; hash: string };

/** All transactions of an address on the ledger, successful or failed. */
export const sentFrom = ({ sandbox }: Environment, address: string): Described[] =>
  (sandbox.describe().transactions as Described[]).filter(({ source }) => source === address);
