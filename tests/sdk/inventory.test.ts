// Every route of the contract can be called: each method sends just the request that the reference describes. The server
// here answers every request with an empty envelope, over a real port.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Holdfast, type StreamState } from '@holdfast/sdk';
import { ROUTES, type RouteName } from '../../sdk/src/printed/routes.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { RECEIVERS } from '../contract/inventory-table.ts';
import { openApp } from '../support/shared-app.ts';

const ID = 'some-id';
const WEBHOOK_SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWo=';
const EMPTY = { data: { success: true, data: [], jobs: [], hasMore: false, nextCursor: null } };
const MADE = { externalUserId: 'ada' };
const AMOUNT = { amount: '1.00', orderId: ID };
const PARTIES = { buyerId: ID, sellerId: ID, amount: '1.00' };
const COMPLAINT = { openedBy: 'BUYER', reason: 'OTHER' } as const;
const PAYOUT = { userId: ID, amount: '1.00', currency: 'USD', destination: { type: 'bank' } } as const;
const VERDICT = { decision: 'FULL_REFUND', note: 'Seen.' } as const;

const first = (list: AsyncIterable<unknown>) => list[Symbol.asyncIterator]().next();

/** The echo has no stream: the second connection is not waited for. */
const askedOnce = (client: Holdfast): Promise<unknown> => {
  const enough = new AbortController();
  const onState = ({ state }: StreamState) => (state === 'waiting' ? enough.abort() : undefined);
  return first(client.events({ signal: enough.signal, onState }));
};

const userCalls = ({ users, balances, wallets, topups, withdrawals }: Holdfast) => ({
  cancelReservation: () => balances.cancelReservation(ID, { orderId: ID }),
  creditBalance: () => balances.credit(ID, { amount: '1.00' }),
  debitBalance: () => balances.debit(ID, { amount: '1.00' }),
  deductReserved: () => balances.deductReserved(ID, AMOUNT),
  getBalance: () => balances.get(ID),
  releaseBalance: () => balances.release(ID, AMOUNT),
  reserveBalance: () => balances.reserve(ID, AMOUNT),
  syncBalance: () => balances.sync(ID),
  verifyBalance: () => balances.verify(ID),
  listReservations: () => users.reservations(ID).page(),
  getStatement: () => users.statement(ID),
  cancelTopup: () => topups.cancel(ID),
  createTopup: () => topups.create({ userId: ID, amount: '1.00' }),
  // The payer's browser goes there; a program has no use for it.
  followTopup: () => fetch(topups.callbackUrl(ID)).then((answer) => answer.text()),
  getTopup: () => topups.get(ID),
  listTopups: () => topups.list().page(),
  refreshTopup: () => topups.refresh(ID),
  createUser: () => users.create(MADE),
  getUser: () => users.get(ID),
  linkPaymentAccount: () => users.linkPaymentAccount(ID, { email: 'ada@example.com' }),
  listUsers: () => users.list().page(),
  reactivateUser: () => users.reactivate(ID),
  suspendUser: () => users.suspend(ID),
  updateUser: () => users.update(ID, { name: 'Ada' }),
  getDepositAddress: () => wallets.deposit(ID),
  getTreasuryAddress: () => wallets.treasuryDeposit(),
  getWallet: () => wallets.get(ID),
  challengeWallet: () => wallets.challenge(ID),
  linkWallet: () => wallets.link(ID, { publicKey: ID }),
  listWallets: () => wallets.list(ID).page(),
  proveWallet: () => wallets.prove(ID, { transaction: ID }),
  listWalletTransactions: () => wallets.transactions(ID).page(),
  commitWithdrawal: () => withdrawals.commit(ID),
  createWithdrawal: () => withdrawals.create(PAYOUT),
  getWithdrawal: () => withdrawals.get(ID),
  listWithdrawals: () => withdrawals.list().page(),
  refreshWithdrawal: () => withdrawals.refresh(ID),
});

const orderCalls = ({ orders, disputes, operations, alerts }: Holdfast) => ({
  assignDispute: () => disputes.assign(ID, { assignedTo: 'agent' }),
  getDispute: () => disputes.get(ID),
  listDisputes: () => disputes.list().page(),
  openDispute: () => orders.dispute(ID, COMPLAINT),
  resolveDispute: () => disputes.resolve(ID, VERDICT),
  listOperations: () => operations.list().page(),
  getOperation: () => operations.get(ID),
  listAlerts: () => alerts.list().page(),
  cancelOrder: () => orders.cancel(ID),
  completeMilestone: () => orders.completeMilestone(ID, ID),
  releaseMilestone: () => orders.releaseMilestone(ID, { ref: ID }),
  refundMilestone: () => orders.refundMilestone(ID, { ref: ID, reason: 'agreed' }),
  disputeMilestone: () => orders.disputeMilestone(ID, { ref: ID, openedBy: 'BUYER', reason: 'OTHER' }),
  createEscrow: () => orders.createEscrow(ID),
  createOrder: () => orders.create(PARTIES),
  fundEscrow: () => orders.fundEscrow(ID),
  getOrder: () => orders.get(ID),
  listMilestones: () => orders.milestones(ID),
  listOrders: () => orders.list().page(),
  refundOrder: () => orders.refund(ID, { reason: 'Too late' }),
  releaseOrder: () => orders.release(ID),
  reserveOrder: () => orders.reserve(ID),
  getTimeline: () => orders.timeline(ID),
  getReceipt: () => orders.receipt(ID),
  createReceiptLink: () => orders.createReceiptLink(ID),
  revokeReceiptLink: () => orders.revokeReceiptLink(ID),
  getOutlook: () => orders.outlook(ID),
});

const serviceCalls = (client: Holdfast) => {
  const { audit, exports, keys, marketplaces, reconciliation, reports, sandbox, service, walletKeys } = client;
  return {
    getProof: () => audit.proof(),
    listAuditEntries: () => audit.logs().page(),
    verifyAuditChain: () => audit.verify(),
    streamEvents: () => askedOnce(client),
    listJobs: () => service.jobs(),
    retryJob: () => service.retryJob(ID),
    getWalletKeys: () => walletKeys.get(),
    rotateWalletKeys: () => walletKeys.rotate(),
    getPaymentHold: () => service.paymentHold(),
    holdPayments: () => service.holdPayments({ reason: 'A check.' }),
    releasePayments: () => service.releasePayments(),
    createApiKey: () => keys.create({ name: 'shop', scopes: ['read'] }),
    getMe: () => keys.me(),
    issueToken: () => keys.token(ID),
    listApiKeys: () => keys.list().page(),
    revokeApiKey: () => keys.revoke(ID),
    rotateApiKey: () => keys.rotate(ID),
    listMarketplaces: () => marketplaces.list().page(),
    getMarketplace: () => marketplaces.get(ID),
    allotFloat: () => marketplaces.allotFloat(ID, { amount: '1.00', currency: 'USD' }),
    setCreditLine: () => marketplaces.setCreditLine(ID, { amount: '1.00', currency: 'USD' }),
    getMarketplaceLimits: () => marketplaces.limits(ID),
    setMarketplaceLimits: () => marketplaces.setLimits(ID, { currency: 'USD' }),
    getPaymentProvider: () => marketplaces.paymentProvider(ID),
    setPaymentProvider: () =>
      marketplaces.setPaymentProvider(ID, {
        apiKey: 'key',
        apiSecret: 'secret',
        webhookSecret: WEBHOOK_SECRET,
      }),
    removePaymentProvider: () => marketplaces.removePaymentProvider(ID),
    listBreaks: () => reconciliation.breaks().page(),
    listSurpluses: () => reconciliation.surpluses().page(),
    getFloatTotal: () => reconciliation.floatTotal(),
    getActivityReport: () => reports.activity(),
    getMoneyReport: () => reports.money(),
    getClosing: () => reports.closing('2026-11'),
    getFeeReport: () => reports.fees(),
    getPayoutReport: () => reports.payouts(),
    getOpenItems: () => reports.openItems(),
    exportJournal: () => exports.journal({ to: '2026-11-15' }),
    getOpenWork: () => reports.openWork(),
    advanceSandboxClock: () => sandbox.advanceClock({ seconds: 1 }),
    armSandboxFault: () => sandbox.armFault({ operation: 'deploy', fault: 'refusal' }),
    clearSandboxFaults: () => sandbox.clearFaults(),
    decideSandboxPayin: () => sandbox.decidePayin(ID, 'confirm'),
    decideSandboxPayout: () => sandbox.decidePayout(ID, 'complete'),
    getSandboxState: () => sandbox.state(),
    listSandboxFaults: () => sandbox.faults(),
    paySandboxFaucet: () => sandbox.faucet({ address: ID, asset: 'USDC', amount: '1' }),
    sendSandboxEscrowEvent: () => sandbox.sendEscrowEvent({ orderId: ID, type: 'escrow.funded' }),
    getConfig: () => service.config(),
    getDetailedHealth: () => service.detailedHealth(),
    getHealth: () => service.health(),
  };
};

const webhookCalls = ({ webhookEndpoints, webhookDeliveries }: Holdfast) => ({
  createWebhookEndpoint: () => webhookEndpoints.create({ url: 'https://shop.example/hooks', events: ['*'] }),
  listWebhookEndpoints: () => webhookEndpoints.list().page(),
  getWebhookEndpoint: () => webhookEndpoints.get(ID),
  updateWebhookEndpoint: () => webhookEndpoints.update(ID, { enabled: false }),
  deleteWebhookEndpoint: () => webhookEndpoints.delete(ID),
  rotateWebhookSecret: () => webhookEndpoints.rotateSecret(ID),
  testWebhookEndpoint: () => webhookEndpoints.test(ID),
  replayWebhookEvents: () => webhookEndpoints.replay(ID, '2026-11-15T09:30:00Z'),
  retryFailedDeliveries: () => webhookEndpoints.retryFailed(ID, '2026-11-15T09:30:00Z'),
  listWebhookDeliveries: () => webhookDeliveries.list().page(),
  getWebhookDelivery: () => webhookDeliveries.get(ID),
  retryWebhookDelivery: () => webhookDeliveries.retry(ID),
});

const KIND = { kind: 'auto_release' } as const;

const approvalCalls = ({ approvals }: Holdfast) => ({
  listApprovals: () => approvals.list().page(),
  getApproval: () => approvals.get(ID),
  approveApproval: () => approvals.approve(ID),
  rejectApproval: () => approvals.reject(ID, { reason: 'late' }),
  cancelApproval: () => approvals.cancel(ID),
  listApprovalRules: () => approvals.rules(),
  setApprovalRules: () => approvals.setRules([{ action: 'order.release' }]),
});

const correctionCalls = ({ corrections }: Holdfast) => ({
  createCorrection: () => corrections.create({ kind: 'credit-late-topup', resourceId: ID, reason: 'it was paid late' }),
  listCorrections: () => corrections.list().page(),
  getCorrection: () => corrections.get(ID),
});

const policyCalls = ({ policies, orders }: Holdfast) => ({
  holdDeadline: () => orders.holdDeadline(ID, KIND),
  resumeDeadline: () => orders.resumeDeadline(ID, KIND),
  extendDeadline: () => orders.extendDeadline(ID, { ...KIND, until: '2026-12-15T09:30:00Z' }),
  triggerDeadline: () => orders.triggerDeadline(ID, KIND),
  createPolicy: () => policies.create({ name: 'standard', rules: {} }),
  listPolicies: () => policies.list().page(),
  getPolicy: () => policies.get(ID),
});

const FILE = { fileName: 'parcel.jpg', contentType: 'image/jpeg', content: 'AAAA', submittedBy: 'BUYER' } as const;

const noteCalls = ({ notes, disputes }: Holdfast) => ({
  submitEvidence: () => disputes.submitEvidence(ID, FILE),
  listEvidence: () => disputes.evidence(ID).page(),
  getEvidence: () => disputes.getEvidence(ID, ID),
  getEvidenceContent: () => disputes.downloadEvidence(ID, ID),
  sendDisputeMessage: () => disputes.sendMessage(ID, { from: 'SELLER', text: 'I sent it on Monday.' }),
  listDisputeMessages: () => disputes.messages(ID).page(),
  createNote: () => notes.create({ resourceType: 'order', resourceId: ID, text: 'The buyer called.' }),
  listNotes: () => notes.list().page(),
});

const CSV = {
  system: 'payment-provider',
  fileName: 'a.csv',
  content: 'AAAA',
  from: '2026-01-01',
  to: '2026-02-01',
} as const;

const providerStatementCalls = ({ providerStatements }: Holdfast) => ({
  addProviderStatement: () => providerStatements.upload(CSV),
  listProviderStatements: () => providerStatements.list().page(),
  getProviderStatement: () => providerStatements.get(ID),
  listProviderStatementLines: () => providerStatements.lines(ID).page(),
  exportProviderStatement: () => providerStatements.download(ID),
});

const operatorCalls = ({ operators }: Holdfast) => ({
  createOperator: () => operators.create({ email: 'ada@shop.example', name: 'Ada', role: 'viewer' }),
  listOperators: () => operators.list().page(),
  getOperator: () => operators.get(ID),
  updateOperator: () => operators.update(ID, { role: 'support' }),
  deleteOperator: () => operators.delete(ID),
  inviteOperator: () => operators.invite(ID),
  listOperatorSessions: () => operators.sessions(ID).page(),
  revokeOperatorSession: () => operators.revokeSession(ID, ID),
});

/** One call for each route; one that is missing does not compile. */
const callsOf = (client: Holdfast): Record<RouteName, () => Promise<unknown>> => ({
  ...userCalls(client),
  ...orderCalls(client),
  ...serviceCalls(client),
  ...webhookCalls(client),
  ...approvalCalls(client),
  ...correctionCalls(client),
  ...policyCalls(client),
  ...operatorCalls(client),
  ...noteCalls(client),
  ...providerStatementCalls(client),
});

type Seen = { readonly request: string; readonly key: string | undefined };

const openEcho = async (t: TestContext) => {
  const seen: Seen[] = [];
  const server = createServer((asked, response) => {
    const { pathname } = new URL(asked.url!, 'http://echo');
    seen.push({ request: `${asked.method} ${pathname}`, key: asked.headers['idempotency-key']?.toString() });
    asked.resume().on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(EMPTY)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const DECISIONS: Partial<Record<RouteName, string>> = {
  decideSandboxPayin: 'confirm',
  decideSandboxPayout: 'complete',
};

test('every method sends the request of its route, with a key just where one counts', async (t) => {
  const { seen, url } = await openEcho(t);
  const calls = Object.entries(callsOf(new Holdfast({ url }))) as [RouteName, () => Promise<unknown>][];
  for (const [name, call] of calls) {
    const { method, path, idempotent } = ROUTES[name];
    await call();
    const filled = path
      .replace(':decision', DECISIONS[name] ?? '')
      .replace(':kind', KIND.kind)
      .replace(/:\w+/g, ID);
    assert.deepEqual(
      seen.splice(0).map(({ request, key }) => [request, key !== undefined]),
      [[`${method} /api/v1${filled}`, idempotent]],
      name,
    );
  }
});

test('the table of routes is the reference, but for the two receivers of webhooks', async (t) => {
  const app = await openApp(t);
  const { paths } = (await (await fetch(`${app.url}/docs/openapi.json`)).json()) as { paths: Record<string, object> };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  );
  const ours = Object.values(ROUTES).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  assert.deepEqual([...ours, ...RECEIVERS].sort(), documented.sort());
});
