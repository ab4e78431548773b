// For operators: the proof of balances, the audit trail, operations, and the service itself.

import type { Changes } from '../changes.ts';
import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type {
  AuditEntry,
  GetProofQuery,
  ListAuditEntriesQuery,
  Proof,
  VerifyAuditChainQuery,
  VerifyAuditChainResult,
} from '../printed/audit.ts';
import type {
  HoldPaymentsInput,
  JobReport,
  ListJobsResult,
  PaymentHold,
  ReleasePaymentsInput,
} from '../printed/jobs.ts';
import type {
  AllotFloatInput,
  FloatTransfer,
  GetMarketplaceLimitsResult,
  ListMarketplacesQuery,
  Marketplace,
  MarketplaceLimits,
  SetCreditLineInput,
  SetMarketplaceLimitsInput,
} from '../printed/marketplaces.ts';
import type { ListAlertsQuery, ListOperationsQuery, OperationRecord, SystemAlert } from '../printed/operations.ts';
import type { PaymentProviderAccount, SetPaymentProviderInput } from '../printed/payment-accounts.ts';
import type { Break, FloatTotal, ListBreaksQuery, ListSurplusesQuery, Surplus } from '../printed/reconciliation.ts';
import { ROUTES } from '../printed/routes.ts';
import type { GetConfigResult, GetDetailedHealthResult, GetHealthResult } from '../printed/service.ts';
import type { RotateWalletKeysInput, WalletKeys } from '../printed/wallet-keys.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { type Waitable, type WaitFor, waiterOf } from '../wait-for.ts';

export const auditResource = (transport: Transport) => ({
  /** Every action, newest first: who, what, when, and what changed. */
  logs: (query: ListAuditEntriesQuery = {}, options?: CallOptions): List<AuditEntry> =>
    listing(transport, ROUTES.listAuditEntries, { query, options }),

  /** Recomputes all balances: from the last checkpoint, or with `full` from every posting. */
  proof: (query: GetProofQuery = {}, options?: CallOptions): Promise<Proof> =>
    transport.call(ROUTES.getProof, { query }, options),

  /** Recomputes the hashes of the audit chain: after the last checkpoint, or with `full` from the first entry. */
  verify: (query: VerifyAuditChainQuery = {}, options?: CallOptions): Promise<VerifyAuditChainResult> =>
    transport.call(ROUTES.verifyAuditChain, { query }, options),
});

export const reconciliationResource = (transport: Transport) => ({
  /** Differences between the books and an outside system. */
  breaks: (query: ListBreaksQuery = {}, options?: CallOptions): List<Break> =>
    listing(transport, ROUTES.listBreaks, { query, options }),

  /** Money in escrow contracts that others paid in. */
  surpluses: (query: ListSurplusesQuery = {}, options?: CallOptions): List<Surplus> =>
    listing(transport, ROUTES.listSurpluses, { query, options }),

  /** The float of all marketplaces beside the payment provider's balance. Needs the master key. */
  floatTotal: (options?: CallOptions): Promise<FloatTotal> => transport.call(ROUTES.getFloatTotal, {}, options),
});

export const alertResource = (transport: Transport) => ({
  /** Conditions that a person has to look at, newest first. */
  list: (query: ListAlertsQuery = {}, options?: CallOptions): List<SystemAlert> =>
    listing(transport, ROUTES.listAlerts, { query, options }),
});

type OperationRecordGoal = 'done' | 'ended';

const OPERATION: Waitable<OperationRecord, OperationRecordGoal> = {
  noun: 'operation',
  goals: { done: ({ state }) => state === 'DONE', ended: ({ state }) => state !== 'RUNNING' },
  usual: 'done',
  hasEnded: ({ state }) => state !== 'RUNNING',
  stateOf: ({ state, lastProblem }) => (lastProblem ? `${state} (${lastProblem})` : state),
  orderOf: ({ orderId }) => orderId,
};

export const operationResource = (transport: Transport, changes: Changes) => {
  const get = (id: string, options?: CallOptions): Promise<OperationRecord> =>
    transport.call(ROUTES.getOperation, { params: { id } }, options);

  return {
    /** Operations with the outside systems on behalf of orders. */
    list: (query: ListOperationsQuery = {}, options?: CallOptions): List<OperationRecord> =>
      listing(transport, ROUTES.listOperations, { query, options }),

    /** One operation. */
    get,

    /**
     * Waits until the outside systems have done the operation. Fails with ENDED_OTHERWISE when it failed (`until: 'ended'` returns it
     * then too), and with STILL_PENDING after `patienceMs`.
     */
    waitFor: waiterOf(OPERATION, { changes, get }) as WaitFor<OperationRecord, OperationRecordGoal>,
  };
};

export const marketplaceResource = (transport: Transport) => ({
  /** Lists the marketplaces. Needs the master key. */
  list: (query: ListMarketplacesQuery = {}, options?: CallOptions): List<Marketplace> =>
    listing(transport, ROUTES.listMarketplaces, { query, options }),

  /** A marketplace with its float at the payment provider. Needs the master key. */
  get: (id: string, options?: CallOptions): Promise<Marketplace> =>
    transport.call(ROUTES.getMarketplace, { params: { id } }, options),

  /** Moves float from `mkt_default` to the marketplace; a negative amount takes it back. Needs the master key. */
  allotFloat: <O extends CallOptions>(
    id: string,
    input: AllotFloatInput,
    options?: O,
  ): Promise<MaybePreview<FloatTransfer, O>> =>
    transport.change<FloatTransfer, O>(ROUTES.allotFloat, { params: { id }, body: input }, options),

  /** Sets how far the marketplace may pay out beyond its own float. Needs the master key. */
  setCreditLine: <O extends CallOptions>(
    id: string,
    input: SetCreditLineInput,
    options?: O,
  ): Promise<MaybePreview<Marketplace, O>> =>
    transport.change<Marketplace, O>(ROUTES.setCreditLine, { params: { id }, body: input }, options),

  /** The limits of a marketplace for one day, by currency. Needs the master key. */
  limits: (id: string, options?: CallOptions): Promise<MarketplaceLimits[]> =>
    transport
      .call<GetMarketplaceLimitsResult>(ROUTES.getMarketplaceLimits, { params: { id } }, options)
      .then(({ limits }) => limits),

  /** Replaces the limits of one currency; a limit that is left out is none. Needs the master key. */
  setLimits: <O extends CallOptions>(
    id: string,
    input: SetMarketplaceLimitsInput,
    options?: O,
  ): Promise<MaybePreview<MarketplaceLimits, O>> =>
    transport.change<MarketplaceLimits, O>(ROUTES.setMarketplaceLimits, { params: { id }, body: input }, options),

  /** The payment account of a marketplace: own or shared, which secrets are set and since when. Needs the master key. */
  paymentProvider: (id: string, options?: CallOptions): Promise<PaymentProviderAccount> =>
    transport.call(ROUTES.getPaymentProvider, { params: { id } }, options),

  /** Gives a marketplace its own account at the payment provider, or new credentials of it. Needs the master key. */
  setPaymentProvider: (
    id: string,
    body: SetPaymentProviderInput,
    options?: CallOptions,
  ): Promise<PaymentProviderAccount> => transport.call(ROUTES.setPaymentProvider, { params: { id }, body }, options),

  /** Returns a marketplace to the shared payment account. Needs the master key. */
  removePaymentProvider: (id: string, options?: CallOptions): Promise<PaymentProviderAccount> =>
    transport.call(ROUTES.removePaymentProvider, { params: { id } }, options),
});

export const walletKeyResource = (transport: Transport) => ({
  /** Which key-encryption key seals, what each has sealed, and which servers have it. Needs the master key. */
  get: (options?: CallOptions): Promise<WalletKeys> => transport.call(ROUTES.getWalletKeys, {}, options),

  /** Rotates to a key of the source, or to the newest one, while the service runs. Needs the master key. */
  rotate: (input: RotateWalletKeysInput = {}, options?: CallOptions): Promise<WalletKeys> =>
    transport.call(ROUTES.rotateWalletKeys, { body: input }, options),
});

export const serviceResource = (transport: Transport) => ({
  /** Currencies, limits and fees. Needs no key. */
  config: (options?: CallOptions): Promise<GetConfigResult> => transport.call(ROUTES.getConfig, {}, options),

  /** Whether the service answers. Needs no key. */
  health: (options?: CallOptions): Promise<GetHealthResult> => transport.call(ROUTES.getHealth, {}, options),

  /** Checks every part of the service. */
  detailedHealth: (options?: CallOptions): Promise<GetDetailedHealthResult> =>
    transport.call(ROUTES.getDetailedHealth, {}, options),

  /** Background jobs of the service, with the outcome of the last run. */
  jobs: async (options?: CallOptions): Promise<JobReport[]> =>
    (await transport.call<ListJobsResult>(ROUTES.listJobs, {}, options)).jobs,

  /** Runs a job again at once whose last run failed. */
  retryJob: (name: string, options?: CallOptions): Promise<JobReport> =>
    transport.call(ROUTES.retryJob, { params: { name } }, options),

  /** Whether outgoing payments are on hold, and the wallets that are held. Needs the master key. */
  paymentHold: (options?: CallOptions): Promise<PaymentHold> => transport.call(ROUTES.getPaymentHold, {}, options),

  /** Holds all outgoing payments over the ledger. Needs the master key. */
  holdPayments: (body: HoldPaymentsInput, options?: CallOptions): Promise<PaymentHold> =>
    transport.call(ROUTES.holdPayments, { body }, options),

  /** Releases all payments, or those of one wallet. Needs the master key. */
  releasePayments: (body: ReleasePaymentsInput = {}, options?: CallOptions): Promise<PaymentHold> =>
    transport.call(ROUTES.releasePayments, { body }, options),
});
