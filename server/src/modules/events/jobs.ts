// Deletes expired events, expired stored responses, expired records of webhooks in both directions, ended approvals, ended alerts
// and ended sessions of operators.

import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

/** Deletes one batch and returns the number of its rows. */
type Trim = () => Promise<number>;

const BATCHES_MAX = 200;

const untilEmpty = async (trim: Trim): Promise<void> => {
  for (let batch = 0; batch < BATCHES_MAX && (await trim()) > 0; batch++);
};

export const clearOut = (options: {
  trimEvents: Trim;
  trimAnswers: Trim;
  trimWebhooks: Trim;
  trimDeliveries: Trim;
  trimApprovals: Trim;
  trimAlerts: Trim;
  trimSessions: Trim;
}): Job => ({
  ...scheduled('clear-out'),
  async run() {
    await untilEmpty(options.trimEvents);
    await untilEmpty(options.trimAnswers);
    await untilEmpty(options.trimWebhooks);
    await untilEmpty(options.trimDeliveries);
    await untilEmpty(options.trimApprovals);
    await untilEmpty(options.trimAlerts);
    await untilEmpty(options.trimSessions);
  },
});
