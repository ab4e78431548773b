// The simulators of the outside systems, where the server runs with them: play money, faults, time, and what the providers
// decide. With real outside systems every call is refused.

import { ROUTES } from '../printed/routes.ts';
import type {
  AdvanceSandboxClockInput,
  AdvanceSandboxClockResult,
  ArmSandboxFaultInput,
  ClearSandboxFaultsResult,
  DecideSandboxPayinInput,
  DecideSandboxPayoutInput,
  ListSandboxFaultsResult,
  PaySandboxFaucetInput,
  PaySandboxFaucetResult,
  SandboxFault,
  SandboxPayin,
  SandboxPayout,
  SandboxState,
  SendSandboxEscrowEventInput,
  SendSandboxEscrowEventResult,
} from '../printed/sandbox.ts';
import type { CallOptions, Transport } from '../transport.ts';

export type PayinDecision = 'confirm' | 'process' | 'fail' | 'cancel';
export type PayoutDecision = 'complete' | 'pend' | 'require-action' | 'fail' | 'cancel';

export const sandboxResource = (transport: Transport) => ({
  /** The simulators' time, balances and payments of this marketplace. */
  state: (options?: CallOptions): Promise<SandboxState> => transport.call(ROUTES.getSandboxState, {}, options),

  /** What is armed, and which faults each operation knows. */
  faults: (options?: CallOptions): Promise<ListSandboxFaultsResult> =>
    transport.call(ROUTES.listSandboxFaults, {}, options),

  /** Has the next calls of one kind go wrong in a chosen way. */
  armFault: (input: ArmSandboxFaultInput, options?: CallOptions): Promise<SandboxFault> =>
    transport.call(ROUTES.armSandboxFault, { body: input }, options),

  /** Disarms every fault. */
  clearFaults: (options?: CallOptions): Promise<ClearSandboxFaultsResult> =>
    transport.call(ROUTES.clearSandboxFaults, {}, options),

  /** Moves the simulators' time forward. */
  advanceClock: (input: AdvanceSandboxClockInput, options?: CallOptions): Promise<AdvanceSandboxClockResult> =>
    transport.call(ROUTES.advanceSandboxClock, { body: input }, options),

  /** An outsider's payment to an address of this marketplace. */
  faucet: (input: PaySandboxFaucetInput, options?: CallOptions): Promise<PaySandboxFaucetResult> =>
    transport.call(ROUTES.paySandboxFaucet, { body: input }, options),

  /** What the payer or the payment provider does with a top-up. */
  decidePayin: (
    id: string,
    decision: PayinDecision,
    input: DecideSandboxPayinInput = {},
    options?: CallOptions,
  ): Promise<SandboxPayin> =>
    transport.call(ROUTES.decideSandboxPayin, { params: { id, decision }, body: input }, options),

  /** What the payment provider does with a withdrawal. */
  decidePayout: (
    id: string,
    decision: PayoutDecision,
    input: DecideSandboxPayoutInput = {},
    options?: CallOptions,
  ): Promise<SandboxPayout> =>
    transport.call(ROUTES.decideSandboxPayout, { params: { id, decision }, body: input }, options),

  /** Has the escrow provider tell the server what is true of an order's contract. */
  sendEscrowEvent: (input: SendSandboxEscrowEventInput, options?: CallOptions): Promise<SendSandboxEscrowEventResult> =>
    transport.call(ROUTES.sendSandboxEscrowEvent, { body: input }, options),
});
