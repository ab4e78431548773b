// The only writer of state. Takes commands, passes them to the lane of their marketplace, and answers when their group is committed.
// When its queue is full it refuses at once instead of letting the queue grow.

import { DomainError } from '../base/domain-error.ts';
import type { Submission, Submit } from './command.ts';
import type { Decision } from './group.ts';
import { createLane, type LaneOptions } from './lane.ts';
import type { ReactionHandlers } from './reactions.ts';

export type CommitterOptions = LaneOptions & {
  readonly lanes: number;
  readonly queueMax: number;
  /** Runs what commands declare to happen after their commit. */
  readonly reactions?: Pick<ReactionHandlers, 'run'>;
};

export type Committer = { submit: Submit; readonly queued: number; close(): Promise<void> };

/** FNV-1a: spreads marketplaces over the lanes, nothing more. Other processes may spread them differently. */
const laneOf = (marketplaceId: string, lanes: number): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < marketplaceId.length; i++) hash = Math.imul(hash ^ marketplaceId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % lanes;
};

/** Adds the second decision of a request to its command, so that one commit has both. Without one it costs a comparison. */
const withAlongside = (submission: Submission<unknown, unknown>): Submission<unknown, unknown> => {
  const { command, context } = submission;
  const { alongside } = context;
  if (alongside === undefined || alongside.marketplaceId !== context.marketplaceId) return submission;
  return {
    ...submission,
    command: {
      ...command,
      needs(input) {
        const needs = command.needs(input);
        return { ...needs, rows: [...(needs.rows ?? []), ...alongside.rows] };
      },
      decide(input, work) {
        const reply = command.decide(input, work);
        alongside.decide(work, reply);
        return reply;
      },
    },
  };
};

export const createCommitter = (options: CommitterOptions): Committer => {
  const { reactions, onTrouble } = options;
  const lanes = Array.from({ length: options.lanes }, () => createLane(options));
  let waiting = 0;
  let isClosing = false;

  const react = ({ command, input, context }: Submission<unknown, unknown>, decision: Decision): void => {
    if (!command.reactions || !reactions) return;
    const reply = decision.kind === 'done' && decision.outcome.kind === 'reply' ? decision.outcome.reply : null;
    try {
      // What follows in the background is no part of the request any more.
      const { alongside: _, ...later } = context;
      reactions.run(command.reactions({ input, reply }), later);
    } catch (error) {
      // The command has ended, and its caller must be answered.
      onTrouble(`the reactions of ${command.name} failed`, error);
    }
  };

  const submit = (given: Submission<unknown, unknown>) => {
    const submission = withAlongside(given);
    return new Promise((resolve, reject) => {
      if (isClosing || waiting >= options.queueMax) {
        reject(new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } }));
        return;
      }
      waiting++;
      const settle = (decision: Decision): void => {
        waiting--;
        react(submission, decision);
        if (decision.kind === 'done') resolve(decision.outcome);
        else reject(decision.error);
      };
      lanes[laneOf(submission.context.marketplaceId, lanes.length)]!.push({ submission, settle });
    });
  };

  return {
    submit: submit as Submit,
    get queued() {
      return waiting;
    },
    async close() {
      isClosing = true;
      await Promise.all(lanes.map((lane) => lane.close()));
      await options.lostNodes?.close();
    },
  };
};
