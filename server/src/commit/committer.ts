// The only writer of state. Takes commands, hands them to the lane of their marketplace, and answers when their group is
// committed. Beyond its bound it refuses at once instead of letting the queue grow.

import { Fault } from '../base/domain-error.ts';
import type { Submission, Submit } from './command.ts';
import type { Decision } from './group.ts';
import { createLane, type LaneOptions } from './lane.ts';

export type CommitterOptions = LaneOptions & { lanes: number; queueMax: number };

export type Committer = { submit: Submit; readonly queued: number; close(): Promise<void> };

/** FNV-1a: spreads marketplaces over the lanes, nothing more. Other processes may spread them differently. */
const laneOf = (marketplaceId: string, lanes: number): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < marketplaceId.length; i++) hash = Math.imul(hash ^ marketplaceId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % lanes;
};

export const createCommitter = (options: CommitterOptions): Committer => {
  const lanes = Array.from({ length: options.lanes }, () => createLane(options));
  let waiting = 0;
  let closing = false;

  const busy = (): Fault => new Fault('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } });

  const submit = <Input, Reply>(submission: Submission<Input, Reply>) =>
    new Promise((resolve, reject) => {
      if (closing || waiting >= options.queueMax) {
        reject(busy());
        return;
      }
      waiting++;
      const settle = (decision: Decision): void => {
        waiting--;
        if (decision.kind === 'done') resolve(decision.outcome);
        else reject(decision.kind === 'refused' ? decision.fault : decision.error);
      };
      lanes[laneOf(submission.context.marketplaceId, lanes.length)]!.push({ submission, settle });
    });

  return {
    submit: submit as Submit,
    get queued() {
      return waiting;
    },
    async close() {
      closing = true;
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
};
