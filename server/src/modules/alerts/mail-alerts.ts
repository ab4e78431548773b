// The job that sends e-mails about alerts: one mail for each marketplace with all its changes. The row says which mail is due until the
// mail server has accepted it, so a crash sends a mail twice at most. While the mail server fails, it is tried less and less often.

import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { Log } from '../../observability/logs.ts';
import type { PlacedAlert } from './alert.ts';
import { markMailed } from './change-alerts.ts';
import { type AlertNews, writeMail } from './mail-text.ts';
import type { AlertReads } from './queries.ts';
import type { SendMail } from './smtp.ts';

type Options = {
  readonly reads: Pick<AlertReads, 'listMailDue'>;
  readonly submit: Submit;
  /** Null: e-mail is not set. */
  readonly send: SendMail | null;
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** A clock that is never set back, in milliseconds. */
  steadyMs?(): number;
};

/** Alerts that one run mails; the next run has the rest. */
const ALERTS_MAX = 1_000;
const MINUTE_MS = 60_000;
const WAIT_MAX_MS = 60 * MINUTE_MS;

const contextOf = (marketplaceId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'mail-alerts' },
  requestId: 'mail-alerts',
});

const newsOf = (marketplaceId: string, alerts: readonly PlacedAlert[]): AlertNews => ({
  marketplaceId,
  opened: alerts.filter(({ openedMail }) => openedMail === 'DUE'),
  closed: alerts.filter(({ closedMail }) => closedMail === 'DUE'),
});

const idsOf = (alerts: AlertNews['opened']): string[] => alerts.map(({ id }) => id);

/** Waits 1, 2, 4 … minutes after failures in a row, an hour at most, and says only once that sending fails. */
const createBackOff = ({ log, steadyMs = () => performance.now() }: Options) => {
  let failures = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    isWaiting: (): boolean => steadyMs() < nextAt,
    failed(error: unknown): void {
      if (failures === 0) log.warn({ err: error }, 'e-mails about alerts cannot be sent; they are tried again');
      // A run is late by some seconds now and then, and must not miss its turn.
      nextAt = steadyMs() + Math.min(MINUTE_MS * 2 ** failures, WAIT_MAX_MS) - MINUTE_MS / 2;
      failures++;
    },
    succeeded(): void {
      if (failures > 0) log.info('e-mails about alerts are sent again');
      failures = 0;
      nextAt = Number.NEGATIVE_INFINITY;
    },
  };
};

export const mailAlerts = (options: Options): Job => {
  const { reads, submit, send, log } = options;
  const backOff = createBackOff(options);

  /** False: the mail server did not accept it. */
  const mail = async (news: AlertNews, sendMail: SendMail): Promise<boolean> => {
    try {
      const refused = await sendMail(writeMail(news));
      if (refused.length > 0) log.warn({ refused }, 'the mail server refused some recipients of alerts');
    } catch (error) {
      backOff.failed(error);
      return false;
    }
    backOff.succeeded();
    const input = { opened: idsOf(news.opened), closed: idsOf(news.closed) };
    await runCommand(submit, { command: markMailed, input, context: contextOf(news.marketplaceId) });
    return true;
  };

  return {
    ...scheduled('mail-alerts'),
    async run() {
      if (send === null || backOff.isWaiting()) return;
      const due = Map.groupBy(await reads.listMailDue(ALERTS_MAX), ({ marketplaceId }) => marketplaceId);
      for (const [marketplaceId, alerts] of due) {
        if (!(await mail(newsOf(marketplaceId, alerts), send))) return;
      }
    },
  };
};
