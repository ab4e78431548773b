// Sets a project's escrow up by the steps that orders have: reserve, create, fund. The order itself says which step is next,
// so whoever finds it half done goes on: the same request again, or a job. What is certainly refused is called off.

import type { ErrorCode } from '@holdfast/contract/errors.ts';
import type { OrderStatus } from '@holdfast/contract/states.ts';
import type { RefusalName } from '@holdfast/contract/surface-b/refusals.ts';
import { type DomainError, isDomainError } from '../../base/domain-error.ts';
import { fewAtOnce } from '../../base/few-at-once.ts';
import type { Command, Context, Submit } from '../../commit/command.ts';
import type { EscrowOperations } from '../escrows/operations/escrow-operations.ts';
import type { CreateOrderInput } from '../orders/create-order.ts';
import type { OrderView } from '../orders/order-view.ts';
import { reserveOrder } from '../orders/reserve-order.ts';
import { beginProjectEscrow, type ProjectClaim } from './begin-project-escrow.ts';
import { answerProjectEscrow, callOffProjectEscrow, leaveProjectEscrow } from './end-project-escrow.ts';
import { isCanceled, type LeftProject } from './project.ts';
import { refusal } from './surface/refusal.ts';

export type ProjectEscrowParts = {
  readonly submit: Submit;
  readonly operations: Pick<EscrowOperations, 'createEscrow' | 'fundEscrow'>;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
  /** Whether an escrow of the order was refused and set aside. */
  wasRefused(marketplaceId: string, orderId: string): Promise<boolean>;
  /** Orders of projects that nobody is at work on. */
  listLeft(limit: number): Promise<LeftProject[]>;
  readonly claimMs: number;
  onTrouble(message: string, error: unknown): void;
};

type Ask = Pick<ProjectClaim, 'projectId'> & {
  readonly personId: string | null;
  readonly order: CreateOrderInput;
  readonly context: Context;
};

type Going = Pick<ProjectClaim, 'projectId' | 'orderId'> & { readonly context: Context };

type Step = 'reserve' | 'create' | 'fund';
type Tried = { readonly fault: DomainError | null; readonly isFinal: boolean };
type Next = Step | 'call-off' | 'wait' | 'done' | 'over';

/** Where nothing else has to be looked at; what is not listed has been funded. */
const NEXT: Readonly<Partial<Record<OrderStatus, Next>>> = {
  ORDER_CREATED: 'reserve',
  FUNDS_RESERVED: 'create',
  ESCROW_CREATING: 'wait',
  ESCROW_FUNDING: 'fund',
};

const ROUNDS_MAX = 8;
const LEFT_MAX = 100;
const AT_ONCE = 8;

/** It may still come about: nothing is undone on this. */
const isOpen = ({ code }: DomainError): boolean => code === 'PROVIDER_TIMEOUT' || code === 'SERVICE_UNAVAILABLE';

/** In the words of Surface B, where it has its own. */
const OWN_WORDS: Readonly<Partial<Record<ErrorCode, RefusalName>>> = {
  INSUFFICIENT_FUNDS: 'tooLittle',
  RESERVE_NOT_FOUND: 'tooLittle',
  ESCROW_FUNDING_FAILED: 'notFunded',
  PROVIDER_TIMEOUT: 'beingSetUp',
};

const inWords = (fault: DomainError): DomainError => {
  const name = OWN_WORDS[fault.code];
  return name ? refusal(name) : fault;
};

export type ProjectEscrows = ReturnType<typeof createProjectEscrows>;

export const createProjectEscrows = (parts: ProjectEscrowParts) => {
  const { submit, operations, findOrder } = parts;

  const carryOut = async <Input, Reply>(
    command: Command<Input, Reply>,
    { input, context }: { input: Input; context: Context },
  ): Promise<Reply> => {
    const outcome = await submit({ command, input, context });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    return outcome.reply;
  };

  const look = async ({ orderId, context }: Going): Promise<OrderView> => {
    const view = await findOrder(context.marketplaceId, orderId);
    if (!view) throw new Error(`the order ${orderId} of a project is not there`);
    return view;
  };

  const nextOf = async ({ orderId, context }: Going, { order, escrow, operation }: OrderView): Promise<Next> => {
    if (isCanceled(order)) return 'over';
    const next = NEXT[order.status] ?? 'done';
    if (next === 'fund') return operation || escrow?.status !== 'CREATED' ? 'wait' : 'fund';
    if (next !== 'create') return next;
    return (await parts.wasRefused(context.marketplaceId, orderId)) ? 'call-off' : 'create';
  };

  const take = async (step: Step, { orderId, context }: Going): Promise<void> => {
    if (step === 'create') return operations.createEscrow({ orderId, context });
    if (step === 'fund') return operations.fundEscrow({ orderId, context });
    await carryOut(reserveOrder, { input: { orderId }, context });
  };

  /** Gives the refusal when the order did not move: then nobody else did it, and it is final. */
  const tryStep = async (going: Going, { step, from }: { step: Step; from: OrderStatus }): Promise<Tried> => {
    try {
      await take(step, going);
      return { fault: null, isFinal: false };
    } catch (error) {
      if (!isDomainError(error) || isOpen(error)) throw error;
      const now = await look(going);
      return { fault: error, isFinal: now.order.status === from };
    }
  };

  /** Something may be in escrow all the same: then it stays as it is, and the order says so. */
  const callOff = async ({ projectId, orderId, context }: Going, reason: string): Promise<void> => {
    try {
      await carryOut(callOffProjectEscrow, { input: { projectId, orderId, reason }, context });
    } catch (error) {
      if (!isDomainError(error) || error.code !== 'INVALID_STATE') throw error;
      parts.onTrouble('the order of a project could not be called off', error);
    }
  };

  /** Resolves when the escrow is funded; otherwise refuses, and what was certainly refused is called off. */
  const carryOn = async (going: Going): Promise<OrderView> => {
    let refused = refusal('calledOff');
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const view = await look(going);
      const next = await nextOf(going, view);
      if (next === 'done') return view;
      if (next === 'over') throw refused;
      if (next === 'wait') throw refusal('beingSetUp');
      if (next === 'call-off') {
        await callOff(going, refused.message);
        throw refused;
      }
      const { fault, isFinal } = await tryStep(going, { step: next, from: view.order.status });
      if (fault) refused = fault;
      if (!isFinal) continue;
      await callOff(going, refused.message);
      throw refused;
    }
    throw refusal('beingSetUp');
  };

  const finish = async ({ marketplaceId, projectId, ownerId, orderId }: LeftProject): Promise<void> => {
    const context: Context = { marketplaceId, actor: { type: 'system', id: ownerId }, requestId: projectId };
    await carryOn({ projectId, orderId, context }).catch((error: unknown) => {
      if (!isDomainError(error)) parts.onTrouble("a project's escrow could not be gone on with yet", error);
    });
  };

  return {
    /** Answers with the funded order to exactly one request. */
    async init({ projectId, personId, order, context }: Ask): Promise<OrderView> {
      const input = { projectId, personId, order, claimMs: parts.claimMs };
      const claim = await carryOut(beginProjectEscrow, { input, context });
      try {
        const view = await carryOn({ ...claim, context });
        const { isFirst } = await carryOut(answerProjectEscrow, { input: claim, context });
        if (!isFirst) throw refusal('escrowExists');
        return view;
      } catch (error) {
        // Should this fail too, the claim ends by itself.
        await carryOut(leaveProjectEscrow, { input: claim, context }).catch((late: unknown) =>
          parts.onTrouble("the claim on a project's escrow could not be given up", late),
        );
        throw isDomainError(error) ? inWords(error) : error;
      }
    },

    /** Goes on with what a crash or a silent provider left. */
    async finishLeft(): Promise<void> {
      await fewAtOnce(await parts.listLeft(LEFT_MAX), { atOnce: AT_ONCE, work: finish });
    },
  };
};
