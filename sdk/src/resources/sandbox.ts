// The simulators of the outside systems: play money, faults, clock, and decisions of the providers. With real outside systems every
// call is refused.

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
  /** The clock of the simulators, and the balances and payments of this marketplace. */
  state: (options?: CallOptions): Promise<SandboxState> => transport.call(ROUTES.getSandboxState, {}, options),

  /** Armed faults, and the faults that each operation supports. */
  faults: (options?: CallOptions): Promise<ListSandboxFaultsResult> =>
    transport.call(ROUTES.listSandboxFaults, {}, options),

  /** Makes the next calls of one operation fail in a chosen way. */
  armFault: (input: ArmSandboxFaultInput, options?: CallOptions): Promise<SandboxFault> =>
    transport.call(ROUTES.armSandboxFault, { body: input }, options),

  /** Clears all faults. */
  clearFaults: (options?: CallOptions): Promise<ClearSandboxFaultsResult> =>
    transport.call(ROUTES.clearSandboxFaults, {}, options),

  /** Moves the clock of the simulators forward. */
  advanceClock: (input: AdvanceSandboxClockInput, options?: CallOptions): Promise<AdvanceSandboxClockResult> =>
    transport.call(ROUTES.advanceSandboxClock, { body: input }, options),

  /** Pays from an outside account to an address of this marketplace. */
  faucet: (input: PaySandboxFaucetInput, options?: CallOptions): Promise<PaySandboxFaucetResult> =>
    transport.call(ROUTES.paySandboxFaucet, { body: input }, options),

  /** Makes the payer or the payment provider act on a top-up. */
  decidePayin: (
    id: string,
    decision: PayinDecision,
    input: DecideSandboxPayinInput = {},
    options?: CallOptions,
  ): Promise<SandboxPayin> =>
    transport.call(ROUTES.decideSandboxPayin, { params: { id, decision }, body: input }, options),

  /** Makes the payment provider act on a withdrawal. */
  decidePayout: (
    id: string,
    decision: PayoutDecision,
    input: DecideSandboxPayoutInput = {},
    options?: CallOptions,
  ): Promise<SandboxPayout> =>
    transport.call(ROUTES.decideSandboxPayout, { params: { id, decision }, body: input }, options),

  /** Makes the escrow provider send the server a signed event about an order's contract. */
  sendEscrowEvent: (input: SendSandboxEscrowEventInput, options?: CallOptions): Promise<SendSandboxEscrowEventResult> =>
    transport.call(ROUTES.sendSandboxEscrowEvent, { body: input }, options),
});
