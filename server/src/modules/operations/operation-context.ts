// The interface between the runner of operations and their handlers: the input of a handler and the outcomes of an attempt. A
// handler calls the outside systems and submits commands; it never writes rows.

import type { OperationKind } from '@holdfast/contract/states.ts';
import type { Unknown } from '../../base/answer.ts';
import { type Command, type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { OrderView, WithEscrow } from '../orders/order.ts';
import type { Operation } from './operation.ts';

export type OperationPlace = { readonly marketplaceId: string; readonly operationId: string };

/** An operation and its order as they are stored now. */
export type OperationContext = {
  readonly marketplaceId: string;
  readonly operation: Operation;
  readonly view: WithEscrow;
  /** The context of the original request, also when a job or another process continues the operation. */
  readonly context: Context;
};

export type FindOrder = (marketplaceId: string, orderId: string) => Promise<OrderView | null>;

export type OperationOutcome =
  | { readonly kind: 'done' }
  /** Certainly refused, and undone. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The outcome is unknown: the operation is tried again. */
  | {
      readonly kind: 'waiting';
      readonly reason: string;
      /** The request is answered now, although the operation continues. */
      readonly isAnswered?: boolean;
      /** Another worker holds the operation: the request keeps waiting for the next attempt. */
      readonly isBusy?: boolean;
    };

export type OperationHandler = (current: OperationContext) => Promise<OperationOutcome>;

/** One handler for each kind of operation. The wiring collects them from the modules. */
export type OperationHandlers = Readonly<Record<OperationKind, OperationHandler>>;

export const DONE: OperationOutcome = { kind: 'done' };

export const waiting = (reason: string): OperationOutcome => ({ kind: 'waiting', reason });

/** Not an unknown answer of an outside system: the next attempt reads the result of the other worker. */
export const busy = (reason = 'Another worker holds the operation.'): OperationOutcome => ({
  kind: 'waiting',
  reason,
  isBusy: true,
});

/** The outcome of the operation after an unknown answer. */
export const waitingFor = ({ code, reason }: Pick<Unknown, 'code' | 'reason'>): OperationOutcome =>
  code === 'in-progress' ? busy(reason) : waiting(reason);

/** Submits a command in the name of the caller who requested the operation. */
export const submitFor = <Input, Reply>(
  { context }: Pick<OperationContext, 'context'>,
  { submit, command, input }: { submit: Submit; command: Command<Input, Reply>; input: Input },
): Promise<Reply> => runCommand(submit, { command, input, context });
