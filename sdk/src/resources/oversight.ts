// What an operator looks at: the proof, the audit trail, the reports, what is under way, and the service itself.

import { type List, listing } from '../pages.ts';
import type { AuditEntry, ListAuditEntriesQuery, Proof, VerifyAuditChainResult } from '../printed/audit.ts';
import type { JobReport, ListJobsResult } from '../printed/jobs.ts';
import type { ListMarketplacesQuery, Marketplace } from '../printed/marketplaces.ts';
import type { ListOperationsQuery, OperationRecord } from '../printed/operations.ts';
import type { Break, ListBreaksQuery } from '../printed/reconciliation.ts';
import type { ActivityReport, GetActivityReportQuery, MoneyReport, OpenWork } from '../printed/reports.ts';
import { ROUTES } from '../printed/routes.ts';
import type { GetConfigResult, GetDetailedHealthResult, GetHealthResult } from '../printed/service.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const auditResource = (transport: Transport) => ({
  /** Every action, newest first: who, what, when, and what it changed. */
  logs: (query: ListAuditEntriesQuery = {}, options?: CallOptions): List<AuditEntry> =>
    listing(transport, ROUTES.listAuditEntries, { query, options }),

  /** Recomputes the books from every posting. */
  proof: (options?: CallOptions): Promise<Proof> => transport.call(ROUTES.getProof, {}, options),

  /** Recomputes every hash of the audit chain. */
  verify: (options?: CallOptions): Promise<VerifyAuditChainResult> =>
    transport.call(ROUTES.verifyAuditChain, {}, options),
});

export const reportResource = (transport: Transport) => ({
  /** Where every cent is. */
  money: (options?: CallOptions): Promise<MoneyReport> => transport.call(ROUTES.getMoneyReport, {}, options),

  /** What happened on each of the last days. */
  activity: (query: GetActivityReportQuery = {}, options?: CallOptions): Promise<ActivityReport> =>
    transport.call(ROUTES.getActivityReport, { query }, options),

  /** What waits for somebody. */
  openWork: (options?: CallOptions): Promise<OpenWork> => transport.call(ROUTES.getOpenWork, {}, options),
});

export const reconciliationResource = (transport: Transport) => ({
  /** Where the books and an outside system differ. */
  breaks: (query: ListBreaksQuery = {}, options?: CallOptions): List<Break> =>
    listing(transport, ROUTES.listBreaks, { query, options }),
});

export const operationResource = (transport: Transport) => ({
  /** What is carried out with the outside systems on behalf of orders. */
  list: (query: ListOperationsQuery = {}, options?: CallOptions): List<OperationRecord> =>
    listing(transport, ROUTES.listOperations, { query, options }),
});

export const marketplaceResource = (transport: Transport) => ({
  /** Needs the master key. */
  list: (query: ListMarketplacesQuery = {}, options?: CallOptions): List<Marketplace> =>
    listing(transport, ROUTES.listMarketplaces, { query, options }),
});

export const serviceResource = (transport: Transport) => ({
  /** Currencies, limits, fees; needs no key. */
  config: (options?: CallOptions): Promise<GetConfigResult> => transport.call(ROUTES.getConfig, {}, options),

  /** Whether it answers; needs no key. */
  health: (options?: CallOptions): Promise<GetHealthResult> => transport.call(ROUTES.getHealth, {}, options),

  /** Asks every part of the service. */
  detailedHealth: (options?: CallOptions): Promise<GetDetailedHealthResult> =>
    transport.call(ROUTES.getDetailedHealth, {}, options),

  /** What the service does by itself, and how it last went. */
  jobs: async (options?: CallOptions): Promise<JobReport[]> =>
    (await transport.call<ListJobsResult>(ROUTES.listJobs, {}, options)).jobs,
});
