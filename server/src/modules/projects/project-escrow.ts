// Sets up a project's escrow by the steps of an order: reserve, create, fund. The order's status says which step is next, so the same
// request or a job can continue a setup that was interrupted. A setup that was certainly refused is canceled.

import type { ErrorCode } from '@holdfast/contract/errors.ts';
import type { OrderStatus } from '@holdfast/contract/states.ts';
import type { RefusalName } from '@holdfast/contract/surface-b/refusals.ts';
import { fewAtOnce } from '../../base/concurrency.ts';
import { type DomainError, isDomainError } from '../../base/domain-error.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { EscrowOperations } from '../escrows/operations/escrow-operations.ts';
import type { CreateOrderInput } from '../orders/create-order.ts';
import type { OrderView } from '../orders/order.ts';
import { reserveOrder } from '../orders/reserve-order.ts';
import { beginProjectEscrow, type ProjectClaim } from './begin-project-escrow.ts';
import { answerProjectEscrow, callOffProjectEscrow, leaveProjectEscrow } from './end-project-escrow.ts';
import { isCanceled, type LeftProject } from './project.ts';
import { refusal } from './surface/envelope.ts';

type ProjectEscrowParts = {
  readonly submit: Submit;
  readonly operations: Pick<EscrowOperations, 'createEscrow' | 'fundEscrow'>;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
  /** Whether an escrow of the order was refused and set aside. */
  wasRefused(marketplaceId: string, orderId: string): Promise<boolean>;
  /** Orders of projects whose claim has expired. */
  listLeft(limit: number): Promise<LeftProject[]>;
  readonly claimMs: number;
  onTrouble(message: string, error: unknown): void;
};

type InitRequest = Pick<ProjectClaim, 'projectId'> & {
  readonly personId: string | null;
  readonly order: CreateOrderInput;
  readonly context: Context;
};

type Setup = Pick<ProjectClaim, 'projectId' | 'orderId'> & { readonly context: Context };

type Step = 'reserve' | 'create' | 'fund';
type Tried = { readonly refused: DomainError | null; readonly isFinal: boolean };
type Next = Step | 'call-off' | 'wait' | 'done' | 'over';

/** The next step by the order's status. A status that is not listed has been funded. */
const NEXT: Readonly<Partial<Record<OrderStatus, Next>>> = {
  ORDER_CREATED: 'reserve',
  FUNDS_RESERVED: 'create',
  ESCROW_CREATING: 'wait',
  ESCROW_FUNDING: 'fund',
};

const ROUNDS_MAX = 8;
const LEFT_MAX = 100;
const AT_ONCE = 8;

/** The step may still succeed, so it is not undone. */
const isOpen = ({ code }: DomainError): boolean => code === 'PROVIDER_TIMEOUT' || code === 'SERVICE_UNAVAILABLE';

/** The refusals that Surface B has its own names for. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, RefusalName>>> = {
  INSUFFICIENT_FUNDS: 'tooLittle',
  RESERVE_NOT_FOUND: 'tooLittle',
  ESCROW_FUNDING_FAILED: 'notFunded',
  PROVIDER_TIMEOUT: 'beingSetUp',
};

const refusalFor = (error: DomainError): DomainError => {
  const name = REFUSALS[error.code];
  return name ? refusal(name) : error;
};

const readOrder = async ({ findOrder }: ProjectEscrowParts, { orderId, context }: Setup): Promise<OrderView> => {
  const view = await findOrder(context.marketplaceId, orderId);
  if (!view) throw new Error(`the order ${orderId} of a project does not exist`);
  return view;
};

const nextStep = async (
  { wasRefused }: ProjectEscrowParts,
  { setup: { orderId, context }, view: { order, escrow, operation } }: { setup: Setup; view: OrderView },
): Promise<Next> => {
  if (isCanceled(order)) return 'over';
  const next = NEXT[order.status] ?? 'done';
  if (next === 'fund') return operation || escrow?.status !== 'CREATED' ? 'wait' : 'fund';
  if (next !== 'create') return next;
  return (await wasRefused(context.marketplaceId, orderId)) ? 'call-off' : 'create';
};

const takeStep = async (
  { submit, operations }: ProjectEscrowParts,
  { orderId, context, step }: Setup & { readonly step: Step },
) => {
  if (step === 'create') await operations.createEscrow({ orderId, context });
  else if (step === 'fund') await operations.fundEscrow({ orderId, context });
  else await runCommand(submit, { command: reserveOrder, input: { orderId }, context });
};

/** Returns the refusal. It is final when the order did not move: then no other request took the step. */
const tryStep = async (
  parts: ProjectEscrowParts,
  { setup, step, from }: { setup: Setup; step: Step; from: OrderStatus },
): Promise<Tried> => {
  try {
    await takeStep(parts, { ...setup, step });
    return { refused: null, isFinal: false };
  } catch (error) {
    if (!isDomainError(error) || isOpen(error)) throw error;
    const now = await readOrder(parts, setup);
    return { refused: error, isFinal: now.order.status === from };
  }
};

/** Money may be in escrow in spite of the refusal: then the order stays as it is. */
const cancelSetup = async (
  parts: ProjectEscrowParts,
  { projectId, orderId, context, reason }: Setup & { readonly reason: string },
): Promise<void> => {
  try {
    const input = { projectId, orderId, reason };
    await runCommand(parts.submit, { command: callOffProjectEscrow, input, context });
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'INVALID_STATE') throw error;
    parts.onTrouble('the order of a project could not be canceled', error);
  }
};

/** Resolves when the escrow is funded. Otherwise refuses; a setup that was certainly refused is canceled. */
const setUp = async (parts: ProjectEscrowParts, setup: Setup): Promise<OrderView> => {
  let refused = refusal('calledOff');
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const view = await readOrder(parts, setup);
    const next = await nextStep(parts, { setup, view });
    if (next === 'done') return view;
    if (next === 'over') throw refused;
    if (next === 'wait') throw refusal('beingSetUp');
    const tried: Tried =
      next === 'call-off'
        ? { refused, isFinal: true }
        : await tryStep(parts, { setup, step: next, from: view.order.status });
    refused = tried.refused ?? refused;
    if (!tried.isFinal) continue;
    await cancelSetup(parts, { ...setup, reason: refused.message });
    throw refused;
  }
  throw refusal('beingSetUp');
};

export type ProjectEscrows = ReturnType<typeof createProjectEscrows>;

export const createProjectEscrows = (parts: ProjectEscrowParts) => {
  const { submit, onTrouble } = parts;

  const finish = async ({ marketplaceId, projectId, ownerId, orderId }: LeftProject): Promise<void> => {
    const context: Context = { marketplaceId, actor: { type: 'system', id: ownerId }, requestId: projectId };
    await setUp(parts, { projectId, orderId, context }).catch((error: unknown) => {
      if (!isDomainError(error)) onTrouble("a project's escrow could not be continued yet", error);
    });
  };

  return {
    /** Replies with the funded order to exactly one request. */
    async init({ projectId, personId, order, context }: InitRequest): Promise<OrderView> {
      const input = { projectId, personId, order, claimMs: parts.claimMs };
      const claim = await runCommand(submit, { command: beginProjectEscrow, input, context });
      try {
        const view = await setUp(parts, { ...claim, context });
        const { isFirst } = await runCommand(submit, { command: answerProjectEscrow, input: claim, context });
        if (!isFirst) throw refusal('escrowExists');
        return view;
      } catch (error) {
        // If this fails too, the claim expires.
        await runCommand(submit, { command: leaveProjectEscrow, input: claim, context }).catch((late: unknown) =>
          onTrouble("the claim on a project's escrow could not be given up", late),
        );
        throw isDomainError(error) ? refusalFor(error) : error;
      }
    },

    /** Continues what a crash or a silent provider interrupted. */
    async finishLeft(): Promise<void> {
      await fewAtOnce(await parts.listLeft(LEFT_MAX), { atOnce: AT_ONCE, work: finish });
    },
  };
};

/** Continues interrupted setups, so that no money waits for the request to be repeated. */
export const finishProjectEscrows = ({ finishLeft }: Pick<ProjectEscrows, 'finishLeft'>): Job => ({
  ...scheduled('finish-project-escrows'),
  atStart: true,
  run: finishLeft,
});
