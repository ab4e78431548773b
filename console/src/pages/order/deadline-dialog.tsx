// The confirmation before a deadline is held, resumed, extended or triggered. Each needs a reason for the audit trail.

import type { Order } from '@holdfast/sdk';
import { useState } from 'react';
import type { Client } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { TextField } from '../../parts/fields.tsx';
import { amountOf } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { useClient } from '../../session.tsx';
import { leftOf } from './action-table.ts';
import { type Deadline, deadlineName } from './deadline-words.ts';

export type DeadlineVerb = 'hold' | 'resume' | 'extend' | 'trigger';

type Props = {
  readonly order: Order;
  readonly deadline: Deadline;
  readonly verb: DeadlineVerb;
  readonly onClose: () => void;
};

const WORDS: Readonly<Record<DeadlineVerb, { title: string; text: string; confirm: string; done: string }>> = {
  hold: {
    title: 'Hold',
    text: 'Nothing happens until it is resumed, also when its time passes.',
    confirm: 'Hold deadline',
    done: 'Deadline held',
  },
  resume: {
    title: 'Resume',
    text: 'It runs again. If its time has passed, it is carried out at once.',
    confirm: 'Resume deadline',
    done: 'Deadline resumed',
  },
  extend: {
    title: 'Extend',
    text: 'It is carried out at the new time. Its reminders move with it.',
    confirm: 'Extend deadline',
    done: 'Deadline extended',
  },
  trigger: {
    title: 'Do it now',
    text: 'What the deadline does is done now, as if its time had passed. Money may move. This cannot be undone.',
    confirm: 'Do it now',
    done: 'Deadline carried out',
  },
};

type Asked = { readonly reason: string; readonly until: string };

/** The value of the field is local time. */
const iso = (local: string): string | null => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};

const missingIn = ({ reason, until }: Asked, verb: DeadlineVerb): string | null => {
  if (verb === 'extend' && iso(until) === null) return 'Enter the new time.';
  return reason.trim() === '' ? 'Enter a reason.' : null;
};

const isAskable = ({ until }: Asked, verb: DeadlineVerb): boolean => verb !== 'extend' || iso(until) !== null;

const inputOf = ({ kind, milestoneRef }: Deadline, reason: string) => ({
  kind,
  reason,
  ...(milestoneRef ? { milestoneRef } : {}),
});

const isSame = (one: Pick<Deadline, 'kind' | 'milestoneRef'>, other: Deadline): boolean =>
  one.kind === other.kind && one.milestoneRef === other.milestoneRef;

/** The status of the deadline in the order of a preview. */
const statusIn = ({ deadlines }: Order, deadline: Deadline): string | null =>
  deadlines.findLast((each) => isSame(each, deadline))?.status ?? null;

type Previewing = Omit<Props, 'onClose'> & { readonly until: string | null };

/** The reason is required, and its text changes no figure. */
const previewDeadline = async (client: Client, { order: { id }, deadline, verb, until }: Previewing) => {
  const { orders } = client;
  const input = inputOf(deadline, 'preview');
  const dry = { dryRun: true } as const;
  if (verb === 'extend') return orders.extendDeadline(id, { ...input, until: until! }, dry);
  if (verb === 'hold') return orders.holdDeadline(id, input, dry);
  if (verb === 'resume') return orders.resumeDeadline(id, input, dry);
  const begun = await orders.triggerDeadline(id, input, dry);
  return { ...begun, ...(await whenDone(client, { id, deadline })) };
};

/** A release or refund that a deadline begins continues in the background. The outlook shows it to its end. */
const whenDone = async (client: Client, { id, deadline }: { id: string; deadline: Deadline }) => {
  const { steps } = await client.orders.outlook(id);
  const first = steps.find(({ kind }) => kind !== 'reminder');
  return first && isSame(first, deadline) ? first.preview : null;
};

export const DeadlineDialog = ({ order, deadline, verb, onClose }: Props) => {
  const client = useClient();
  const [asked, setAsked] = useState<Asked>({ reason: '', until: '' });
  const words = WORDS[verb];
  const act = useAction<Order>({
    run: () => {
      const input = inputOf(deadline, asked.reason.trim());
      const { orders } = client;
      if (verb === 'extend') return orders.extendDeadline(order.id, { ...input, until: iso(asked.until)! });
      if (verb === 'hold') return orders.holdDeadline(order.id, input);
      return verb === 'resume' ? orders.resumeDeadline(order.id, input) : orders.triggerDeadline(order.id, input);
    },
    done: () => ({ title: words.done }),
    failed: 'The deadline was not changed',
    touches: [['orders']],
    quiet: true,
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen
      title={`${words.title}: ${deadlineName(deadline, order)}`}
      confirm={words.confirm}
      tone={verb === 'trigger' ? 'bad' : 'accent'}
      isBusy={act.isPending}
      reason={missingIn(asked, verb)}
      error={act.error}
      preview={{
        key: ['orders', order.id, verb, deadline, iso(asked.until), order.updatedAt],
        ask: isAskable(asked, verb)
          ? () => previewDeadline(client, { order, deadline, verb, until: iso(asked.until) })
          : null,
        ...(verb === 'trigger' ? {} : { statusOf: (reply) => statusIn(reply as Order, deadline) }),
        names: { [order.buyerId]: 'Buyer', [order.sellerId]: 'Seller' },
        ...(order.escrow?.fundedAt ? { inEscrow: amountOf(leftOf(order)) } : {}),
      }}
      onClose={onClose}
      onConfirm={() => act.mutate()}
    >
      <p>{words.text}</p>
      {verb === 'extend' ? (
        <TextField
          label="New time"
          type="datetime-local"
          hint="In your local time."
          value={asked.until}
          onChange={(event) => setAsked({ ...asked, until: event.target.value })}
        />
      ) : null}
      <TextField
        label="Reason"
        hint="Stored in the audit trail."
        value={asked.reason}
        onChange={(event) => setAsked({ ...asked, reason: event.target.value })}
      />
    </Confirm>
  );
};
