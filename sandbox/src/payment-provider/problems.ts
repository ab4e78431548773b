// The refusals of the payment provider: its reason codes, each with the HTTP status that the simulator gives it. The provider
// publishes the codes but not the statuses, so a client must decide by the code.

import { Refusal } from '../refusal.ts';

const PROBLEMS = {
  payoutNotFound: [404, '415005', 'Payout not found'],
  recipientInactive: [422, '415009', 'Recipient address inactive'],
  balanceTooLow: [422, '415016', 'Insufficient balance for payout'],
  payoutProcessed: [409, '415027', 'Payout already processed'],
  payinCodeTaken: [409, '415029', 'Payin code already exists'],
  payinNotCancelable: [409, '415030', 'Cannot confirm or cancel payin'],
  payinNotFound: [404, '415031', 'Payin not found'],
  payoutNotCancelable: [409, '415055', 'Cannot cancel non-pending payout'],
  payoutCodeTaken: [409, '415056', 'Payout code already exists'],
  userNotFound: [404, '415059', 'Recipient not found'],
  notFound: [404, '415902', 'Item not found'],
  unprocessable: [422, '415903', 'Request cannot be processed'],
  unauthorized: [401, '415904', 'Unauthorized request'],
  invalid: [400, '415906', 'Invalid request'],
  tooMany: [429, '415903', 'Too many requests'],
  unexpected: [500, '415998', 'Unexpected error'],
} as const satisfies Record<string, readonly [number, string, string]>;

type ProblemName = keyof typeof PROBLEMS;

export function problem(name: ProblemName, data?: Record<string, unknown>): Refusal {
  const [status, code, message] = PROBLEMS[name];
  return new Refusal(status, message, data === undefined ? { code, message } : { code, message, data });
}
