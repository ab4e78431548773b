// Reads the answers of the escrow provider: prepared calls, submissions, refusals and escrows. A prepared call has no effect, so its
// refusals are definite. A submission may have reached the ledger whatever its answer says, so only a code of the ledger or the status
// FAILED is a no.

import { type Answer, type No, no, type Unknown, unknown, yes } from '../../base/answer.ts';
import { plus, ZERO } from '../../books/money.ts';
import { isRefusal, type Reply } from '../attempt.ts';
import type { EscrowFlags, EscrowMilestone, EscrowRecord } from '../escrow-port.ts';
import { findResultCodes, isStale, isTrouble } from '../network/read-ledger.ts';
import {
  amountOf,
  type Fields,
  fieldsOf,
  findAmount,
  findText,
  isFields,
  isTrue,
  listOf,
  textOf,
} from '../reply-fields.ts';

const FAILED = ['FAILED', 'ERROR'];

export function readPrepared({ json, status }: Reply): Answer<{ unsignedTransaction: string }> {
  const fields = isFields(json) ? json : {};
  const said = findText(fields, 'status');
  if (said !== null && FAILED.includes(said)) return refused(messageOf(json) ?? said, status);
  if (said !== null && said !== 'SUCCESS') return unknown(`The provider answered ${said}.`, { code: 'unclear' });
  return yes({ unsignedTransaction: textOf(fields, 'unsignedTransaction') });
}

export function refusePrepared({ json, status }: Reply): No | null {
  const message = messageOf(json);
  if (message === null) return null;
  if (isRefusal(status) || (status === 500 && isContractRefusal(message))) return refused(message, status);
  return null;
}

export function readSubmitted({ json, status }: Reply): Answer<{ contractId: string | null }> {
  const fields = isFields(json) ? json : {};
  const said = findText(fields, 'status');
  if (said === 'SUCCESS') return yes({ contractId: findText(fields, 'contractId') });
  const message = messageOf(json) ?? said ?? '';
  const byCode = readCodes(message, status);
  if (byCode !== null) return byCode;
  if (said !== null && FAILED.includes(said)) return refused(message, status);
  return unknown(`The submission is not complete yet (${said ?? 'no status'}).`, { code: 'lagging' });
}

/** Without a code of the ledger the outcome stays unknown, also for a 400: looking up the hash gives certainty. */
export function refuseSubmitted({ json, status }: Reply): No | Unknown | null {
  const message = messageOf(json);
  if (message === null || status === 401 || status === 403) return null;
  const byCode = readCodes(message, status);
  if (byCode !== null) return byCode;
  return status >= 500 ? null : unknown(`The submission was not accepted (${status}): ${message}`, { code: 'unclear' });
}

function readCodes(message: string, status: number): No | Unknown | null {
  const codes = findResultCodes(message);
  const [code] = codes;
  if (code === undefined) return null;
  if (codes.some(isStale)) return unknown(`The ledger did not include the transaction: ${code}.`, { code: 'stale' });
  if (codes.some(isTrouble)) return unknown(`The ledger has an internal problem: ${code}.`, { code: 'provider-error' });
  return no(`The ledger refused the transaction: ${codes.join(', ')}.`, { code: codes.at(-1)!, status });
}

const refused = (message: string, status: number) => no(message, { code: meaningOf(message), status });

function messageOf(json: unknown): string | null {
  if (!isFields(json)) return null;
  const { message } = json;
  // A validation error carries a list.
  if (Array.isArray(message)) return message.filter((line) => typeof line === 'string').join('; ') || null;
  return findText(json, 'message');
}

/**
 * The meaning of the contract's messages. The provider returns them as a 500 with a text and no code, and its wording may change, so
 * they are matched by meaning, narrowest first. Operations decide by the code: an ALREADY_… step counts as done.
 */
type EscrowRefusal = (typeof MEANINGS)[number][0] | 'REFUSED';

const MEANINGS = [
  ['ALREADY_INITIALISED', /already (been )?initiali[sz]ed/i],
  ['ALREADY_APPROVED', /already (been )?approved/i],
  ['ALREADY_DISPUTED', /already in dispute/i],
  ['NOT_ALL_PROCESSED', /released or resolved before/i],
  ['ALREADY_RELEASED', /already (been )?released|have been released/i],
  ['ALREADY_RESOLVED', /already (been )?resolved/i],
  ['NOT_DISPUTED', /not in (a )?dispute/i],
  ['RESOLVER_CANNOT_DISPUTE', /resolver (cannot|can not|may not) (dispute|open)/i],
  ['ONLY_SERVICE_PROVIDER', /only the service provider/i],
  ['ONLY_APPROVER', /only the approver/i],
  ['ONLY_RELEASE_SIGNER', /only the release signer/i],
  ['ONLY_RESOLVER', /only the (dispute )?resolver/i],
  ['ONLY_PLATFORM', /only the platform/i],
  ['NOT_AUTHORISED', /not (authori[sz]ed|a role holder)/i],
  ['IN_DISPUTE', /opened for dispute|in dispute/i],
  ['NOT_APPROVED', /must be completed|not (all milestones )?(completed|approved)/i],
  ['STATUS_EMPTY', /status (cannot|can not|must not) be empty/i],
  ['INDEX_INVALID', /invalid milestone index|milestone index/i],
  ['FEE_TOO_HIGH', /platform fee/i],
  ['TOO_MANY_MILESTONES', /more than \d+ milestones|too many milestones/i],
  ['NO_MILESTONE', /without milestone|no milestone/i],
  ['TOTAL_ZERO', /total amount.*(zero|0)\b/i],
  ['SHARE_NOT_POSITIVE', /none of the amounts/i],
  ['TOTAL_NOT_BALANCE', /must equal the current escrow balance/i],
  ['TOTAL_TOO_LARGE', /cannot exceed the milestone/i],
  ['SIGNER_SHORT', /signer has insufficient funds|insufficient funds to fund/i],
  ['BALANCE_SHORT', /insufficient (funds|balance)|balance must be|not enough|balance is not sufficient/i],
  ['AMOUNT_NOT_POSITIVE', /amount (cannot|can not|must not) be|amount.*(zero|greater than)/i],
  ['PROPERTIES_DIFFER', /do(es)? not match/i],
  ['NOT_FOUND', /not found|does not exist|there is no|MissingValue/i],
] as const;

// A 500 can also be a failure of the provider itself, and its text then says so.
const TROUBLE =
  /internal server error|unexpected|unknown reason|time(d)?[ -]?out|unavailable|gateway|network error|ECONN|ENOTFOUND|socket|fetch failed|try again|too many requests|rate limit/i;

export const meaningOf = (message: string): EscrowRefusal =>
  MEANINGS.find(([, words]) => words.test(message))?.[0] ?? 'REFUSED';

/**
 * Whether the text of a 500 comes from the contract. Unknown words count as a refusal unless they describe a failure: preparing
 * changes nothing, so a wrong no costs one more attempt, while a wrong unknown would leave an order waiting for an answer that was
 * already given.
 */
const isContractRefusal = (message: string): boolean =>
  meaningOf(message) !== 'REFUSED' || /Error\(Contract, #\d+\)/.test(message) || !TROUBLE.test(message);

/**
 * Converts an escrow of the provider's index into our type. The two contract types keep flags and receivers in different places. Newer
 * records name their type; older ones show it by their fields.
 */
export function readEscrow(value: unknown): EscrowRecord {
  const fields = fieldsOf(value, 'The escrow');
  const roles = fieldsOf(fields.roles, 'roles');
  const isSingle = (findText(fields, 'type') ?? (isFields(fields.flags) ? 'single-release' : '')) === 'single-release';
  const milestones = listOf(fields.milestones, 'milestones').map((entry) => readMilestone(fieldsOf(entry), isSingle));
  return {
    contractId: textOf(fields, 'contractId'),
    type: isSingle ? 'single-release' : 'multi-release',
    engagementId: textOf(fields, 'engagementId'),
    signer: findText(fields, 'signer'),
    roles: {
      approver: textOf(roles, 'approver'),
      serviceProvider: textOf(roles, 'serviceProvider'),
      platform: textOf(roles, 'platformAddress'),
      releaseSigner: textOf(roles, 'releaseSigner'),
      disputeResolver: textOf(roles, 'disputeResolver'),
    },
    receiver: findText(roles, 'receiver'),
    amount: findAmount(fields, 'amount') ?? sumOf(milestones),
    balance: amountOf(fields, 'balance'),
    // A percentage has two decimal places and an amount seven, so a hundredth of a percent is 10^5 units.
    platformFeeBps: Number(amountOf(fields, 'platformFee') / 100_000n),
    flags: isSingle ? readFlags(fields.flags) : null,
    milestones,
  };
}

function readMilestone(fields: Fields, isSingle: boolean): EscrowMilestone {
  const flags = isFields(fields.flags) ? fields.flags : {};
  return {
    description: findText(fields, 'description') ?? '',
    status: findText(fields, 'status') ?? '',
    approved: isTrue(fields, 'approved') || isTrue(flags, 'approved'),
    amount: isSingle ? null : amountOf(fields, 'amount'),
    receiver: isSingle ? null : findText(fields, 'receiver'),
    flags: isSingle ? null : readFlags(fields.flags),
  };
}

// A flag that was never set may be left out.
function readFlags(value: unknown): EscrowFlags {
  const flags = isFields(value) ? value : {};
  return {
    disputed: isTrue(flags, 'disputed'),
    released: isTrue(flags, 'released'),
    resolved: isTrue(flags, 'resolved'),
  };
}

const sumOf = (milestones: readonly EscrowMilestone[]): EscrowRecord['amount'] =>
  milestones.reduce((sum, { amount }) => plus(sum, amount ?? ZERO), ZERO);
