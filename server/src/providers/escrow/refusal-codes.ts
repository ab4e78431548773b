// The meaning of the escrow contract's messages. The provider returns them as a 500 with a text and no code, and its wording may
// change, so they are matched by meaning, narrowest first. Operations decide by the code: an ALREADY_… step counts as done.

export type EscrowRefusal = (typeof MEANINGS)[number][0] | 'REFUSED';

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
export const isContractRefusal = (message: string): boolean =>
  meaningOf(message) !== 'REFUSED' || /Error\(Contract, #\d+\)/.test(message) || !TROUBLE.test(message);
