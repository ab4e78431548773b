// Every error that an answer can carry: its HTTP status, the default sentence, and the details that it promises. A refusal may
// replace the default sentence. A code that is not a row here does not compile.

type ErrorRow = {
  readonly status: number;
  readonly message: string;
  /** Keys that `details` carries for this code, besides `requestId` and `docUrl`. */
  readonly details: readonly string[];
};

const row = (status: number, message: string, ...details: string[]): ErrorRow => ({ status, message, details });

export const ERRORS = {
  VALIDATION_ERROR: row(400, 'The request is not valid. See details.validationErrors.', 'validationErrors'),
  INVALID_AMOUNT: row(
    400,
    'The amount must be a positive decimal string with at most eleven whole digits and two places.',
    'amount',
  ),
  RESERVATION_EXCEEDED: row(
    400,
    'The amount exceeds the reserved balance. Read the balance and send at most the reserved amount.',
    'requested',
    'reserved',
    'currency',
  ),
  INVALID_RESERVED_DEDUCTION: row(
    400,
    'The amount exceeds the reserved balance. Read the balance and deduct at most the reserved amount.',
    'requested',
    'reserved',
    'currency',
  ),
  ESCROW_FUNDING_FAILED: row(
    400,
    'The escrow could not be funded. Nothing left the balance; create the escrow again to retry.',
    'reason',
  ),
  UNAUTHORIZED: row(401, 'Send a valid API key as `Authorization: Bearer <API_KEY>`.'),
  WEBHOOK_SIGNATURE_INVALID: row(
    401,
    'The signature does not match the body. Sign the raw bytes with the shared secret.',
  ),
  SIGN_IN_FAILED: row(
    401,
    'The sign-in failed. Check e-mail, password and code; a code works once. An administrator can make a new invitation.',
  ),
  INSUFFICIENT_SCOPE: row(
    403,
    'The key lacks a scope that this route needs. See details.requiredScope.',
    'requiredScope',
    'scopes',
  ),
  POLICY_FORBIDS: row(
    403,
    "The order's policy does not allow this caller to do this. See details.allowed.",
    'action',
    'allowed',
    'policyId',
  ),
  CSRF: row(
    403,
    'A change with a session cookie needs the header X-CSRF-Token, with the value that GET /console/session shows, and must come from the console itself.',
  ),
  OPERATOR_SELF: row(403, 'Operators cannot change, invite or delete themselves. Another administrator can do it.'),
  APPROVAL_SELF: row(
    403,
    'Another actor than the requester has to decide on this request. The requester can cancel it.',
    'requestedBy',
  ),
  USER_NOT_FOUND: row(404, 'There is no such user. Check the id, and that the key belongs to the same marketplace.'),
  ORDER_NOT_FOUND: row(404, 'There is no such order. Check the id, and that the key belongs to the same marketplace.'),
  ESCROW_NOT_FOUND: row(
    404,
    'The order has no escrow, so the simulator has no contract for this event. Create the escrow with POST /orders/{id}/escrow first.',
  ),
  MILESTONE_NOT_FOUND: row(
    404,
    'The order has no milestone with this reference. See details.milestoneRefs.',
    'milestoneRefs',
  ),
  DISPUTE_NOT_FOUND: row(
    404,
    'There is no such dispute. Check the id, and that the key belongs to the same marketplace.',
  ),
  TOPUP_NOT_FOUND: row(404, 'There is no such top-up. Check the id, and that the key belongs to the same marketplace.'),
  WITHDRAWAL_NOT_FOUND: row(
    404,
    'There is no such withdrawal. Check the id, and that the key belongs to the same marketplace.',
  ),
  PROJECT_NOT_FOUND: row(404, 'There is no such project. Check the id.'),
  MARKETPLACE_NOT_FOUND: row(
    404,
    'There is no such marketplace. List the marketplaces to see which exist; create its first key with the master key to begin one.',
  ),
  API_KEY_NOT_FOUND: row(404, 'There is no such API key. List the keys to see which exist.'),
  WALLET_NOT_FOUND: row(404, 'This user has no such wallet. Link one, or list the wallets of the user.'),
  WALLET_KEY_NOT_FOUND: row(
    404,
    'This server does not have that key-encryption key. Add it to the source of the keys, then rotate again.',
    'keyIds',
  ),
  OPERATOR_NOT_FOUND: row(404, 'There is no such operator. List the operators to see which exist.'),
  OPERATOR_SESSION_NOT_FOUND: row(404, 'There is no such session. List the sessions to see which exist.'),
  INVITE_NOT_FOUND: row(
    404,
    'This invitation does not exist, was used, or has expired. Ask an administrator for a new one.',
  ),
  POLICY_NOT_FOUND: row(404, 'There is no such policy. List the policies to see which exist.'),
  APPROVAL_NOT_FOUND: row(404, 'There is no such approval. List the approvals to see which exist.'),
  CORRECTION_NOT_FOUND: row(404, 'There is no such correction. List the corrections to see which exist.'),
  OPERATION_NOT_FOUND: row(404, 'There is no such operation. List the operations to see which exist.'),
  JOB_NOT_FOUND: row(404, 'There is no such job. List the jobs to see which exist.'),
  DEADLINE_NOT_FOUND: row(404, 'The order has no such deadline. Read the order to see its deadlines.'),
  WEBHOOK_ENDPOINT_NOT_FOUND: row(404, 'There is no such webhook endpoint. List the endpoints to see which exist.'),
  WEBHOOK_DELIVERY_NOT_FOUND: row(
    404,
    'There is no such webhook delivery. Check the id, or list the deliveries; old ones are deleted after the retention time.',
  ),
  BREAK_NOT_FOUND: row(404, 'There is no such break. List the breaks to see which exist; name one as kind:subject.'),
  EVIDENCE_NOT_FOUND: row(404, 'The dispute has no such evidence. List its evidence to see which exist.'),
  PROVIDER_STATEMENT_NOT_FOUND: row(404, 'There is no such provider statement. List them to see which exist.'),
  RECEIPT_LINK_NOT_FOUND: row(404, 'The receipt of this order has no active public link. Create one first.'),
  RESERVATION_NOT_FOUND: row(404, 'There is no active reservation for this order.', 'orderId'),
  ROUTE_NOT_FOUND: row(404, 'There is no such route. See /docs/reference/ for the list.', 'method', 'path'),
  METHOD_NOT_ALLOWED: row(
    405,
    'This route does not accept this method. See details.allowedMethods.',
    'method',
    'allowedMethods',
  ),
  OPENING_BALANCE_EXISTS: row(409, 'The user has an opening balance with this reference already.', 'reference'),
  INVALID_STATE: row(
    409,
    'The current state does not allow this action. See details.allowedActions.',
    'currentState',
    'allowedActions',
  ),
  RECEIPT_NOT_AVAILABLE: row(
    409,
    'This order has no receipt, because its money has never been in escrow. Fund its escrow first.',
    'orderId',
    'status',
  ),
  PUBLIC_RECEIPTS_OFF: row(
    409,
    'Public receipts are off on this server. Ask its operator to set PUBLIC_RECEIPTS=on, or send the PDF file of the receipt instead.',
  ),
  ORDER_ALREADY_EXISTS: row(
    409,
    'An order with this clientOrderRef exists already. Read that order, or use another clientOrderRef.',
    'orderId',
  ),
  ESCROW_ALREADY_EXISTS: row(409, 'The order already has an escrow. Read the order to see its state.', 'escrowId'),
  DISPUTE_ALREADY_OPEN: row(409, 'The order has a dispute that is not resolved. Resolve it first.', 'disputeId'),
  WEBHOOK_ENDPOINT_LIMIT: row(
    409,
    'The marketplace has as many webhook endpoints as it may have; see details.limit. Delete one first.',
    'limit',
  ),
  OPERATOR_EXISTS: row(
    409,
    'An operator of this server has this e-mail address already. Change that operator, or use another address.',
  ),
  OPERATOR_LIMIT: row(
    409,
    'The marketplace has as many operators as it may have; see details.limit. Delete one first.',
    'limit',
  ),
  LAST_ADMIN: row(
    409,
    'This is the last active administrator of the marketplace. Make another one first, or use the master key.',
  ),
  POLICY_LIMIT: row(
    409,
    'The marketplace has as many policies, or the policy has as many versions, as it may have; see details.limit.',
    'limit',
  ),
  APPROVAL_LIMIT: row(
    409,
    'As many requests of the marketplace wait for approval as may wait; see details.limit. Decide or cancel some of them first.',
    'limit',
  ),
  CORRECTION_REFUSED: row(
    409,
    'The correction does not fit the facts, and nothing was changed. See details.facts.',
    'kind',
    'resourceId',
    'facts',
  ),
  EVIDENCE_LIMIT: row(
    409,
    'The dispute, or the marketplace, has as much evidence as it may have; see details.limitedBy and details.limit.',
    'limitedBy',
    'limit',
  ),
  PROVIDER_STATEMENT_LIMIT: row(
    409,
    'The marketplace has as many provider statements, or lines of them, as it may have; see details.limitedBy and details.limit.',
    'limitedBy',
    'limit',
  ),
  DISPUTE_MESSAGE_LIMIT: row(409, 'The dispute has as many messages as it may have; see details.limit.', 'limit'),
  NOTE_LIMIT: row(409, 'The record has as many notes as it may have; see details.limit.', 'limit'),
  IDEMPOTENCY_KEY_REUSED: row(409, 'This Idempotency-Key was used for a different request. Use a new key.'),
  IDEMPOTENCY_KEY_IN_PROGRESS: row(
    409,
    'The request with this Idempotency-Key is still running. Retry in a few seconds.',
  ),
  ARCHIVED: row(
    410,
    'These rows have left the database. See details.archives, and ask the operator to restore these archives.',
    'archives',
  ),
  PAYLOAD_TOO_LARGE: row(413, 'The body is too large.', 'limitBytes'),
  UNSUPPORTED_MEDIA_TYPE: row(415, 'Send the body as `Content-Type: application/json`.', 'contentType'),
  INSUFFICIENT_FUNDS: row(
    422,
    'The available balance is too low. Top up or send a smaller amount.',
    'requested',
    'available',
    'currency',
  ),
  RESERVE_NOT_FOUND: row(
    422,
    'The reservation is smaller than the order amount. Reserve the rest for this order, then fund again.',
    'requested',
    'reserved',
    'currency',
  ),
  WALLET_PROOF_INVALID: row(
    422,
    'The transaction does not prove that the user holds the key of the wallet; see details.reason. Ask for a new challenge.',
    'reason',
  ),
  WITHDRAWAL_DESTINATION_INVALID: row(
    422,
    'This destination cannot receive the payment; see details.reason. Nothing was taken from the balance.',
    'destinationType',
    'reason',
  ),
  PAYMENT_ACCOUNT_INVALID: row(
    422,
    'This payment account cannot be linked; see details.reason. Nothing has changed.',
    'reason',
  ),
  DAILY_LIMIT_EXCEEDED: row(
    422,
    'The amount exceeds a limit of the marketplace for one day. Send a smaller amount, or wait until details.resetsAt; use a new Idempotency-Key.',
    'limitName',
    'limitAmount',
    'used',
    'requested',
    'currency',
    'resetsAt',
  ),
  PAYMENT_CREDENTIALS_REFUSED: row(
    422,
    'These credentials cannot be used; see details.reason. Nothing has changed.',
    'reason',
  ),
  RATE_LIMITED: row(429, 'Too many requests. Wait and try again.', 'limit', 'windowSeconds', 'retryAfter'),
  TOO_MANY_STREAMS: row(
    429,
    'Too many event streams are open; see details.limitedBy and details.limit. Close one, or let your readers share a stream.',
    'limitedBy',
    'limit',
    'retryAfter',
  ),
  TOO_MANY_HEAVY_READS: row(
    429,
    'Too many heavy reads of this marketplace run and wait; see details.limit and details.waitingMax. Wait until one has ended.',
    'limit',
    'waitingMax',
    'retryAfter',
  ),
  INTERNAL_ERROR: row(500, 'Something went wrong on our side. Quote details.requestId when you report it.'),
  VERIFICATION_FAILED: row(500, 'The balance could not be verified. Try again in a few seconds.'),
  PROVIDER_TIMEOUT: row(
    504,
    'An outside system did not answer in time. Nothing was lost; check again in a few seconds.',
    'provider',
  ),
  WALLET_ACTIVATION_LIMIT: row(
    503,
    'No more wallets can be activated on the ledger today. The request is kept: the wallet is activated after details.resetsAt. Try again then, or let the operator raise the limit.',
    'resetsAt',
  ),
  SERVICE_UNAVAILABLE: row(503, 'The service is busy. Try again after the time in Retry-After.', 'retryAfter'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** The page that explains all codes, relative to the address of the server. */
export const ERROR_PAGE = '/docs/errors';

/** Where a code is explained; `details.docUrl` of every refusal of Surface A. */
export const docUrlOf = (code: ErrorCode): string => `${ERROR_PAGE}#${code}`;
