// Every refusal of Surface B itself: the status, which is also the `code` of its envelope, the message, and the matching row of the
// error table. Refusals of the HTTP layer keep the sentences of that table.

import type { ErrorCode } from '../errors.ts';

type RefusalRow = { readonly status: number; readonly message: string; readonly code: ErrorCode };

const row = (status: number, message: string, code: ErrorCode): RefusalRow => ({ status, message, code });

export const REFUSALS = {
  invalid: row(422, 'Validation failed', 'VALIDATION_ERROR'),
  unreadable: row(400, 'The body is not readable JSON', 'VALIDATION_ERROR'),
  noToken: row(401, 'Missing or invalid authorization token', 'UNAUTHORIZED'),
  wrongPassword: row(401, 'Invalid email or password', 'UNAUTHORIZED'),
  tooManyGuesses: row(429, 'Too many failed attempts. Try again later', 'RATE_LIMITED'),
  badPublicKey: row(400, 'Invalid ledger public key format', 'VALIDATION_ERROR'),
  publicKeyTaken: row(400, 'This public key belongs to another wallet', 'INVALID_STATE'),
  noProject: row(404, 'Project not found', 'PROJECT_NOT_FOUND'),
  notOwner: row(401, 'Only the owner of the project can fund its escrow', 'UNAUTHORIZED'),
  noSeller: row(400, 'Seller not found', 'USER_NOT_FOUND'),
  ownSeller: row(400, 'The buyer cannot be the seller', 'VALIDATION_ERROR'),
  otherCurrency: row(400, "The currency must be the project's", 'VALIDATION_ERROR'),
  overBudget: row(400, 'The amount exceeds the budget of the project', 'INVALID_AMOUNT'),
  outOfLimits: row(400, 'The amount is beyond the limits of an order', 'INVALID_AMOUNT'),
  escrowExists: row(400, 'The project already has an escrow', 'ESCROW_ALREADY_EXISTS'),
  tooLittle: row(400, 'Insufficient balance to fund escrow', 'INSUFFICIENT_FUNDS'),
  notFunded: row(400, 'The escrow could not be funded. Nothing left the balance', 'ESCROW_FUNDING_FAILED'),
  calledOff: row(400, 'The escrow was cancelled. Nothing left the balance', 'INVALID_STATE'),
  beingSetUp: row(504, 'The escrow is being created. Try again in a few seconds', 'PROVIDER_TIMEOUT'),
  noEscrow: row(404, 'Escrow not found', 'ESCROW_NOT_FOUND'),
  notBuyer: row(401, 'Only the buyer can release the escrow', 'UNAUTHORIZED'),
  notReleasable: row(400, 'Escrow is not in a releasable state', 'INVALID_STATE'),
  waitsForApproval: row(409, 'The release waits for the approval of an operator', 'INVALID_STATE'),
  beingReleased: row(
    504,
    'The escrow is being released. The project will be completed in a few seconds',
    'PROVIDER_TIMEOUT',
  ),
} as const satisfies Record<string, RefusalRow>;

export type RefusalName = keyof typeof REFUSALS;

/** Sentences of the `errors` list that no schema produces. */
export const EMAIL_TAKEN = 'Email is already registered';
