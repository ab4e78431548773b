// What each refusal of the service promises in its details.
// Printed from contract/src/errors.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type ServiceErrors = {
  /** 400. The request is not valid. See details.validationErrors. */
  VALIDATION_ERROR: { validationErrors: string[] };
  /** 400. The amount must be a positive decimal string with at most eleven whole digits and two places. */
  INVALID_AMOUNT: { amount: string };
  /** 400. The amount exceeds the reserved balance. Read the balance and send at most the reserved amount. */
  RESERVATION_EXCEEDED: { requested: string; reserved: string; currency: string };
  /** 400. The amount exceeds the reserved balance. Read the balance and deduct at most the reserved amount. */
  INVALID_RESERVED_DEDUCTION: { requested: string; reserved: string; currency: string };
  /** 400. The escrow could not be funded. Nothing left the balance; create the escrow again to retry. */
  ESCROW_FUNDING_FAILED: { reason: string };
  /** 401. Send a valid API key as `Authorization: Bearer <API_KEY>`. */
  UNAUTHORIZED: Record<never, never>;
  /** 401. The signature does not match the body. Sign the raw bytes with the shared secret. */
  WEBHOOK_SIGNATURE_INVALID: Record<never, never>;
  /**
   * 401. The sign-in failed. Check e-mail, password and code; a code works once. An administrator can make a new
   * invitation.
   */
  SIGN_IN_FAILED: Record<never, never>;
  /** 403. The key lacks a scope that this route needs. See details.requiredScope. */
  INSUFFICIENT_SCOPE: { requiredScope: string; scopes: string[] };
  /** 403. The order's policy does not allow this caller to do this. See details.allowed. */
  POLICY_FORBIDS: { action: string; allowed: string[]; policyId: string };
  /**
   * 403. A change with a session cookie needs the header X-CSRF-Token, with the value that GET /console/session shows,
   * and must come from the console itself.
   */
  CSRF: Record<never, never>;
  /** 403. Operators cannot change, invite or delete themselves. Another administrator can do it. */
  OPERATOR_SELF: Record<never, never>;
  /** 403. Another actor than the requester has to decide on this request. The requester can cancel it. */
  APPROVAL_SELF: { requestedBy: string };
  /** 404. There is no such user. Check the id, and that the key belongs to the same marketplace. */
  USER_NOT_FOUND: Record<never, never>;
  /** 404. There is no such order. Check the id, and that the key belongs to the same marketplace. */
  ORDER_NOT_FOUND: Record<never, never>;
  /**
   * 404. The order has no escrow, so the simulator has no contract for this event. Create the escrow with POST
   * /orders/{id}/escrow first.
   */
  ESCROW_NOT_FOUND: Record<never, never>;
  /** 404. The order has no milestone with this reference. See details.milestoneRefs. */
  MILESTONE_NOT_FOUND: { milestoneRefs: string[] };
  /** 404. There is no such dispute. Check the id, and that the key belongs to the same marketplace. */
  DISPUTE_NOT_FOUND: Record<never, never>;
  /** 404. There is no such top-up. Check the id, and that the key belongs to the same marketplace. */
  TOPUP_NOT_FOUND: Record<never, never>;
  /** 404. There is no such withdrawal. Check the id, and that the key belongs to the same marketplace. */
  WITHDRAWAL_NOT_FOUND: Record<never, never>;
  /** 404. There is no such project. Check the id. */
  PROJECT_NOT_FOUND: Record<never, never>;
  /**
   * 404. There is no such marketplace. List the marketplaces to see which exist; create its first key with the master
   * key to begin one.
   */
  MARKETPLACE_NOT_FOUND: Record<never, never>;
  /** 404. There is no such API key. List the keys to see which exist. */
  API_KEY_NOT_FOUND: Record<never, never>;
  /** 404. This user has no such wallet. Link one, or list the wallets of the user. */
  WALLET_NOT_FOUND: Record<never, never>;
  /** 404. This server does not have that key-encryption key. Add it to the source of the keys, then rotate again. */
  WALLET_KEY_NOT_FOUND: { keyIds: string[] };
  /** 404. There is no such operator. List the operators to see which exist. */
  OPERATOR_NOT_FOUND: Record<never, never>;
  /** 404. There is no such session. List the sessions to see which exist. */
  OPERATOR_SESSION_NOT_FOUND: Record<never, never>;
  /** 404. This invitation does not exist, was used, or has expired. Ask an administrator for a new one. */
  INVITE_NOT_FOUND: Record<never, never>;
  /** 404. There is no such policy. List the policies to see which exist. */
  POLICY_NOT_FOUND: Record<never, never>;
  /** 404. There is no such approval. List the approvals to see which exist. */
  APPROVAL_NOT_FOUND: Record<never, never>;
  /** 404. There is no such correction. List the corrections to see which exist. */
  CORRECTION_NOT_FOUND: Record<never, never>;
  /** 404. There is no such operation. List the operations to see which exist. */
  OPERATION_NOT_FOUND: Record<never, never>;
  /** 404. There is no such job. List the jobs to see which exist. */
  JOB_NOT_FOUND: Record<never, never>;
  /** 404. The order has no such deadline. Read the order to see its deadlines. */
  DEADLINE_NOT_FOUND: Record<never, never>;
  /** 404. There is no such webhook endpoint. List the endpoints to see which exist. */
  WEBHOOK_ENDPOINT_NOT_FOUND: Record<never, never>;
  /**
   * 404. There is no such webhook delivery. Check the id, or list the deliveries; old ones are deleted after the
   * retention time.
   */
  WEBHOOK_DELIVERY_NOT_FOUND: Record<never, never>;
  /** 404. There is no such break. List the breaks to see which exist; name one as kind:subject. */
  BREAK_NOT_FOUND: Record<never, never>;
  /** 404. The dispute has no such evidence. List its evidence to see which exist. */
  EVIDENCE_NOT_FOUND: Record<never, never>;
  /** 404. There is no such provider statement. List them to see which exist. */
  PROVIDER_STATEMENT_NOT_FOUND: Record<never, never>;
  /** 404. The receipt of this order has no active public link. Create one first. */
  RECEIPT_LINK_NOT_FOUND: Record<never, never>;
  /** 404. There is no active reservation for this order. */
  RESERVATION_NOT_FOUND: { orderId: string };
  /** 404. There is no such route. See /docs/reference/ for the list. */
  ROUTE_NOT_FOUND: { method: string; path: string; didYouMean?: { method: string; path: string }[] };
  /** 405. This route does not accept this method. See details.allowedMethods. */
  METHOD_NOT_ALLOWED: { method: string; allowedMethods: string[] };
  /** 409. The user has an opening balance with this reference already. */
  OPENING_BALANCE_EXISTS: { reference: string };
  /** 409. The current state does not allow this action. See details.allowedActions. */
  INVALID_STATE: { currentState: string; allowedActions: string[] };
  /** 409. This order has no receipt, because its money has never been in escrow. Fund its escrow first. */
  RECEIPT_NOT_AVAILABLE: { orderId: string; status: string };
  /**
   * 409. Public receipts are off on this server. Ask its operator to set PUBLIC_RECEIPTS=on, or send the PDF file of
   * the receipt instead.
   */
  PUBLIC_RECEIPTS_OFF: Record<never, never>;
  /** 409. An order with this clientOrderRef exists already. Read that order, or use another clientOrderRef. */
  ORDER_ALREADY_EXISTS: { orderId: string };
  /** 409. The order already has an escrow. Read the order to see its state. */
  ESCROW_ALREADY_EXISTS: { escrowId: string };
  /** 409. The order has a dispute that is not resolved. Resolve it first. */
  DISPUTE_ALREADY_OPEN: { disputeId: string };
  /** 409. The marketplace has as many webhook endpoints as it may have; see details.limit. Delete one first. */
  WEBHOOK_ENDPOINT_LIMIT: { limit: number };
  /** 409. An operator of this server has this e-mail address already. Change that operator, or use another address. */
  OPERATOR_EXISTS: Record<never, never>;
  /** 409. The marketplace has as many operators as it may have; see details.limit. Delete one first. */
  OPERATOR_LIMIT: { limit: number };
  /** 409. This is the last active administrator of the marketplace. Make another one first, or use the master key. */
  LAST_ADMIN: Record<never, never>;
  /**
   * 409. The marketplace has as many policies, or the policy has as many versions, as it may have; see details.limit.
   */
  POLICY_LIMIT: { limit: number };
  /**
   * 409. As many requests of the marketplace wait for approval as may wait; see details.limit. Decide or cancel some of
   * them first.
   */
  APPROVAL_LIMIT: { limit: number };
  /** 409. The correction does not fit the facts, and nothing was changed. See details.facts. */
  CORRECTION_REFUSED: { kind: string; resourceId: string; facts: Record<string, unknown> };
  /**
   * 409. The dispute, or the marketplace, has as much evidence as it may have; see details.limitedBy and details.limit.
   */
  EVIDENCE_LIMIT: { limitedBy: string; limit: number };
  /**
   * 409. The marketplace has as many provider statements, or lines of them, as it may have; see details.limitedBy and
   * details.limit.
   */
  PROVIDER_STATEMENT_LIMIT: { limitedBy: string; limit: number };
  /** 409. The dispute has as many messages as it may have; see details.limit. */
  DISPUTE_MESSAGE_LIMIT: { limit: number };
  /** 409. The record has as many notes as it may have; see details.limit. */
  NOTE_LIMIT: { limit: number };
  /** 409. This Idempotency-Key was used for a different request. Use a new key. */
  IDEMPOTENCY_KEY_REUSED: Record<never, never>;
  /** 409. The request with this Idempotency-Key is still running. Retry in a few seconds. */
  IDEMPOTENCY_KEY_IN_PROGRESS: Record<never, never>;
  /** 410. These rows have left the database. See details.archives, and ask the operator to restore these archives. */
  ARCHIVED: { archives: string[] };
  /** 413. The body is too large. */
  PAYLOAD_TOO_LARGE: { limitBytes: number };
  /** 415. Send the body as `Content-Type: application/json`. */
  UNSUPPORTED_MEDIA_TYPE: { contentType: string | null };
  /** 422. The available balance is too low. Top up or send a smaller amount. */
  INSUFFICIENT_FUNDS: { requested: string; available: string; currency: string; float?: { held: string; pendingPayouts: string; creditLine: string; available: string; requested: string; currency: string } };
  /** 422. The reservation is smaller than the order amount. Reserve the rest for this order, then fund again. */
  RESERVE_NOT_FOUND: { requested: string; reserved: string; currency: string };
  /**
   * 422. The transaction does not prove that the user holds the key of the wallet; see details.reason. Ask for a new
   * challenge.
   */
  WALLET_PROOF_INVALID: { reason: string };
  /** 422. This destination cannot receive the payment; see details.reason. Nothing was taken from the balance. */
  WITHDRAWAL_DESTINATION_INVALID: { destinationType: string; reason: string };
  /** 422. This payment account cannot be linked; see details.reason. Nothing has changed. */
  PAYMENT_ACCOUNT_INVALID: { reason: string };
  /**
   * 422. The amount exceeds a limit of the marketplace for one day. Send a smaller amount, or wait until
   * details.resetsAt; use a new Idempotency-Key.
   */
  DAILY_LIMIT_EXCEEDED: { limitName: string; limitAmount: string; used: string; requested: string; currency: string; resetsAt: string };
  /** 422. These credentials cannot be used; see details.reason. Nothing has changed. */
  PAYMENT_CREDENTIALS_REFUSED: { reason: string };
  /** 429. Too many requests. Wait and try again. */
  RATE_LIMITED: { limit: number; windowSeconds: number; retryAfter: number };
  /**
   * 429. Too many event streams are open; see details.limitedBy and details.limit. Close one, or let your readers share
   * a stream.
   */
  TOO_MANY_STREAMS: { limitedBy: string; limit: number; retryAfter: number };
  /**
   * 429. Too many heavy reads of this marketplace run and wait; see details.limit and details.waitingMax. Wait until
   * one has ended.
   */
  TOO_MANY_HEAVY_READS: { limit: number; waitingMax: string; retryAfter: number };
  /** 500. Something went wrong on our side. Quote details.requestId when you report it. */
  INTERNAL_ERROR: Record<never, never>;
  /** 500. The balance could not be verified. Try again in a few seconds. */
  VERIFICATION_FAILED: Record<never, never>;
  /** 504. An outside system did not answer in time. Nothing was lost; check again in a few seconds. */
  PROVIDER_TIMEOUT: { provider: string };
  /**
   * 503. No more wallets can be activated on the ledger today. The request is kept: the wallet is activated after
   * details.resetsAt. Try again then, or let the operator raise the limit.
   */
  WALLET_ACTIVATION_LIMIT: { resetsAt: string };
  /** 503. The service is busy. Try again after the time in Retry-After. */
  SERVICE_UNAVAILABLE: { retryAfter: number };
};
