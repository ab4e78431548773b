// Carries out transfers of float between marketplaces, and continues those that a crash left in transit. Each of the three commands
// may be repeated: the rows decide what is left to do.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { type Amount, negated, ZERO } from '../../books/money.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { OpenFloat } from './open-float.ts';
import type { FloatReads, PlacedTransfer } from './queries.ts';
import {
  type BeginInput,
  beginFloatTransfer,
  endFloatTransfer,
  type FloatTransfer,
  type RequestKey,
  receiveFloatTransfer,
} from './transfer-float.ts';

type Options = {
  readonly submit: Submit;
  readonly openFloat: OpenFloat;
  readonly reads: Pick<FloatReads, 'listInTransit'>;
  /** What every marketplace is allotted of the sandbox's play money; null without a sandbox. */
  readonly play: Amount | null;
  onTrouble(message: string, error: unknown): void;
};

export type Allotment = {
  readonly context: Context;
  readonly marketplaceId: string;
  /** Below zero: the operator takes float back. */
  readonly amount: Amount;
  readonly requestKey: RequestKey | null;
};

const RESUMED_MAX = 200;

export const createFloatTransfers = ({ submit, openFloat, reads, play, onTrouble }: Options) => {
  const withPlayFloat = new Set<string>();

  /** The second and the third command. */
  const deliver = async (context: Context, { marketplaceId, transfer }: PlacedTransfer): Promise<FloatTransfer> => {
    const { id, amount, counterpart } = transfer;
    const within = (place: string): Context => ({ ...context, marketplaceId: place });
    await runCommand(submit, {
      command: receiveFloatTransfer,
      input: { id, amount, from: marketplaceId },
      context: within(counterpart),
    });
    return runCommand(submit, { command: endFloatTransfer, input: { id }, context: within(marketplaceId) });
  };

  const run = async (
    context: Context,
    { from, ...input }: BeginInput & { readonly from: string },
  ): Promise<PlacedTransfer> => {
    const place = { ...context, marketplaceId: from };
    const begun = await runCommand(submit, { command: beginFloatTransfer, input, context: place });
    const transfer =
      begun.arrivedAt === null ? await deliver(context, { marketplaceId: from, transfer: begun }) : begun;
    return { marketplaceId: from, transfer };
  };

  /** Every marketplace gets its play money once, before its first payout. The operator's own marketplace keeps as much or more. */
  const allotPlayFloat = async (marketplaceId: string, amount: Amount): Promise<void> => {
    if (marketplaceId === DEFAULT_MARKETPLACE || withPlayFloat.has(marketplaceId)) return;
    const context: Context = {
      marketplaceId: DEFAULT_MARKETPLACE,
      actor: { type: 'system', id: 'play-float' },
      requestId: `play-float ${marketplaceId}`,
    };
    const requestKey = { hash: `play-float ${marketplaceId}`, retentionMs: null };
    const play = { to: marketplaceId, amount, isPlay: true, isFloatOpened: true, requestKey };
    await run(context, { from: DEFAULT_MARKETPLACE, ...play });
    withPlayFloat.add(marketplaceId);
  };

  return {
    /** The operator gives float to a marketplace, or takes it back. */
    async allot({ context, marketplaceId, amount, requestKey }: Allotment): Promise<PlacedTransfer> {
      const isFloatOpened = await openFloat();
      const isTakenBack = amount < ZERO;
      return run(context, {
        from: isTakenBack ? marketplaceId : DEFAULT_MARKETPLACE,
        to: isTakenBack ? DEFAULT_MARKETPLACE : marketplaceId,
        amount: isTakenBack ? negated(amount) : amount,
        isPlay: false,
        isFloatOpened,
        requestKey,
      });
    },

    /** Books what the marketplace has at the provider before it is asked for. False: the provider's balance is not booked yet. */
    async prepare(marketplaceId: string): Promise<boolean> {
      const isOpened = await openFloat();
      if (!isOpened || play === null) return isOpened;
      await allotPlayFloat(marketplaceId, play).catch((error: unknown) => {
        if (!isDomainError(error)) throw error;
        onTrouble('the play float of a marketplace could not be allotted', error);
      });
      return true;
    },

    /** Continues the transfers that a crash left in transit. */
    async resume(): Promise<void> {
      for (const placed of await reads.listInTransit(RESUMED_MAX)) {
        const { marketplaceId, transfer } = placed;
        const actor = { type: 'system', id: 'resume-float-transfers' } as const;
        await deliver({ marketplaceId, actor, requestId: transfer.id }, placed).catch((error: unknown) =>
          onTrouble('a transfer of float could not be continued; it will be retried', error),
        );
      }
    },
  };
};

export type FloatTransfers = ReturnType<typeof createFloatTransfers>;

export const resumeFloatTransfers = ({ resume }: Pick<FloatTransfers, 'resume'>): Job => ({
  ...scheduled('resume-float-transfers'),
  atStart: true,
  run: resume,
});
