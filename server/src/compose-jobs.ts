// The jobs of all modules, and those that prove the books and clear out old rows. Like compose.ts it decides nothing.

import { formatInstant } from './base/instant.ts';
import type { Proof } from './books/proof-checks.ts';
import { trimAnswers } from './commit/stored-answers.ts';
import type { Modules, Options } from './compose.ts';
import type { Core } from './compose-core.ts';
import { analyseTables } from './jobs/analyse-tables.ts';
import type { Job } from './jobs/scheduler.ts';
import { trimAlerts } from './modules/alerts/trim-alerts.ts';
import { trimApprovals } from './modules/approvals/queries.ts';
import { archiveFolder } from './modules/archives/manifest.ts';
import { archivesCheck } from './modules/archives/verify-archives.ts';
import { checkStretches, noteStretches } from './modules/audit/action-stretches.ts';
import { checkProof, proveAndMark, proveFully } from './modules/audit/jobs.ts';
import { createAuditReads } from './modules/audit/queries.ts';
import { sealClosings } from './modules/closings/jobs.ts';
import { createClosingReads } from './modules/closings/queries.ts';
import { clearOut } from './modules/events/jobs.ts';
import { createJournal } from './modules/exports/journal.ts';
import { trimSessions } from './modules/operator-sessions/queries.ts';
import { checkActivity } from './modules/reports/activity-check.ts';
import { keepActivitySums } from './modules/reports/activity-sums.ts';
import { archivedFigures } from './modules/reports/archived-figures.ts';
import { checkFees } from './modules/reports/fee-check.ts';
import { keepFeeSums } from './modules/reports/fee-sums.ts';
import { trimDeliveries } from './modules/webhook-deliveries/trim-deliveries.ts';
import { trimWebhookEvents } from './modules/webhooks/trim-events.ts';
import { trimEvents } from './stream/event-queries.ts';

const TRIM_BATCH = 5_000;
/** The rows of a window are parsed in one turn of the event loop, and requests wait for it. */
const SEALING_ENTRIES = 2_500n;

type ClosingOptions = { readonly dir: string; marketplaces(): Promise<string[]> };

const closingJob = ({ committer, heavyReads: { pool }, clock }: Core, { dir, marketplaces }: ClosingOptions): Job =>
  sealClosings({
    submit: committer.submit,
    reads: createClosingReads(pool),
    journal: createJournal({ pool, dir, inTurn: (_, read) => read(), windowEntries: SEALING_ENTRIES }),
    marketplaces,
    now: () => formatInstant(clock()),
  });

export const composeJobs = ({ config, log }: Options, { core, modules }: { core: Core; modules: Modules }): Job[] => {
  const { pool, clock } = core;
  const archived = archivedFigures(archiveFolder(config));
  // Not among the heavy reads: a job proves one marketplace at a time, and none may be left out.
  const proving = {
    marketplaces: createAuditReads(pool).answeringMarketplaces,
    keep: modules.proofs.keep,
    onBreak: (marketplaceId: string, proof: Proof) =>
      log.error({ marketplaceId, checks: proof.checks }, 'the books do not add up'),
  };
  const olderBy = (ms: number) => ({ olderThan: formatInstant(clock() - ms * 1_000), batch: TRIM_BATCH });
  return [
    checkProof({
      ...proving,
      async prove(marketplaceId) {
        const proof = await proveAndMark(pool, { marketplaceId, full: false });
        // Without new notes the reads take longer. A proof that was made must be stored all the same.
        const notes = [
          () => keepActivitySums(pool, { marketplaceId, archived }),
          () => keepFeeSums(pool, { marketplaceId }),
          () => noteStretches(pool, marketplaceId),
        ];
        for (const note of notes) {
          await note().catch((error) =>
            log.error({ marketplaceId, err: error }, 'the notes for quick reads were not kept'),
          );
        }
        return proof;
      },
    }),
    proveFully({
      ...proving,
      hour: config.proof.fullHour,
      prove: (marketplaceId) =>
        proveAndMark(pool, {
          marketplaceId,
          full: true,
          further: [
            async () => archivesCheck(await modules.archives.verify({ pool, marketplaceId })),
            () => checkActivity(pool, { marketplaceId, archived }),
            () => checkFees(pool, marketplaceId),
            () => checkStretches(pool, marketplaceId),
          ],
        }),
    }),
    closingJob(core, { dir: archiveFolder(config), marketplaces: proving.marketplaces }),
    clearOut({
      trimEvents: () =>
        trimEvents(pool, {
          olderThan: formatInstant(clock() - config.events.retentionMs * 1_000),
          batch: TRIM_BATCH,
        }),
      trimAnswers: () => trimAnswers(pool),
      trimWebhooks: async () =>
        config.webhooks.retentionMs === null
          ? 0
          : trimWebhookEvents(pool, {
              olderThan: formatInstant(clock() - config.webhooks.retentionMs * 1_000),
              batch: TRIM_BATCH,
            }),
      trimDeliveries: () => trimDeliveries(pool, olderBy(config.webhooksOut.deliveryRetentionMs)),
      trimApprovals: () => trimApprovals(pool, olderBy(config.approvals.retentionMs)),
      trimAlerts: () =>
        trimAlerts(pool, { olderThan: formatInstant(clock() - config.alerts.retentionMs * 1_000), batch: TRIM_BATCH }),
      trimSessions: () => trimSessions(pool, olderBy(config.operators.sessionHistoryMs)),
    }),
    analyseTables({ pool, onAnalysed: (tables) => log.info({ tables }, 'tables without statistics were analysed') }),
    ...modules.alerts.jobs,
    ...modules.walletKeys.jobs,
    ...modules.ledger.jobs,
    ...modules.reconciliation.jobs,
    ...modules.approvals.jobs,
    ...modules.orders.jobs,
    ...modules.payments.jobs,
    ...modules.surfaceB.jobs,
  ];
};
