// Wires alerts for people: the route, the two jobs and the figures for metrics. It decides nothing.

import type pg from 'pg';
import type { Clock } from '../../base/instant.ts';
import { parseAmount, ZERO } from '../../books/money.ts';
import type { Submit } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import type { Route } from '../../http/route.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { TreasuryBalance } from '../../ledger/treasury/queries.ts';
import type { Log } from '../../observability/logs.ts';
import { isLossKnown } from '../../postgres/answering.ts';
import { createApprovalReads } from '../approvals/queries.ts';
import { createDeadlineReads } from '../deadlines/queries.ts';
import { createOperationReads } from '../operations/queries.ts';
import { createBreaks } from '../reconciliation/breaks.ts';
import { createEndpointReads } from '../webhook-endpoints/queries.ts';
import { createWithdrawalReads } from '../withdrawals/queries.ts';
import { findLastBackup } from './backup-times.ts';
import { checkAlerts } from './check-alerts.ts';
import { createConditions } from './conditions.ts';
import { mailAlerts } from './mail-alerts.ts';
import { type AlertReads, createAlertReads } from './queries.ts';
import { alertRoutes } from './routes.ts';
import { createSendMail, type SendMail } from './smtp.ts';

type Options = {
  readonly config: Pick<Config, 'alerts' | 'treasury'>;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly clock: Clock;
  readonly deadlineClock: Clock;
  readonly log: Log;
  treasuryBalances(): Promise<TreasuryBalance[]>;
  proofs(): Promise<{ readonly failing: readonly string[] }>;
  onTrouble(message: string, error: unknown): void;
};

type AlertsModule = {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly countOpen: AlertReads['countOpen'];
};

const senderOf = ({ smtpUrl: url, emailFrom: from, emailTo: to }: Config['alerts']): SendMail | null =>
  url === null || from === null || to.length === 0 ? null : createSendMail({ url, from, to });

const conditionsOf = ({ config, pool, clock, deadlineClock, treasuryBalances, proofs }: Options) => {
  const { operationStuckMs, payoutStuckMs, deadlineStuckMs, approvalWaitingMs, backupMaxAgeMs } = config.alerts;
  const { lowUsdc, lowXlm } = config.treasury;
  return createConditions({
    openBreaks: createBreaks(pool).listOpenSince,
    treasuryBalances,
    treasuryLow: { lowUsdc: parseAmount(lowUsdc) ?? ZERO, lowXlm: parseAmount(lowXlm) ?? ZERO },
    stuckOperations: createOperationReads(pool).listStuck,
    stuckWithdrawals: createWithdrawalReads(pool).listStuck,
    stuckDeadlines: createDeadlineReads(pool).listStuck,
    disabledEndpoints: createEndpointReads(pool).listDisabled,
    failingProofs: async () => (await proofs()).failing,
    lastBackup: () => findLastBackup(pool),
    stuckAfterMs: operationStuckMs,
    payoutStuckAfterMs: payoutStuckMs,
    deadlineStuckAfterMs: deadlineStuckMs,
    waitingApprovals: createApprovalReads(pool).listWaiting,
    approvalWaitingAfterMs: approvalWaitingMs,
    backupMaxAgeMs,
    clock,
    deadlineClock,
  });
};

export const wireAlerts = (options: Options): AlertsModule => {
  const { config, pool, submit, log, onTrouble } = options;
  const reads = createAlertReads(pool);
  const send = senderOf(config.alerts);
  return {
    routes: alertRoutes({ reads }),
    jobs: [
      checkAlerts({
        reads,
        conditions: conditionsOf(options),
        submit,
        isPartial: () => isLossKnown(pool),
        isMailed: send !== null,
        onTrouble,
      }),
      mailAlerts({ reads, submit, send, log }),
    ],
    countOpen: reads.countOpen,
  };
};
