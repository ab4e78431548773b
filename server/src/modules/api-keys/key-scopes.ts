// Scopes only get fewer: a token never has more than its key had at creation, or has now.

import { holdsScope, type Scope } from '@holdfast/contract/scopes.ts';
import { DomainError } from '../../base/domain-error.ts';

const holds = (held: readonly Scope[], scope: Scope): boolean =>
  scope === '*' ? held.includes('*') : holdsScope(held, scope);

/** What both allow. */
export const commonScopes = (asked: readonly Scope[], held: readonly Scope[]): readonly Scope[] =>
  asked.includes('*') ? held : asked.filter((scope) => holds(held, scope));

/** The scopes asked for; refuses when one of them is not held. */
export const narrowScopes = (asked: readonly Scope[], held: readonly Scope[]): readonly Scope[] => {
  const missing = asked.find((scope) => !holds(held, scope));
  if (missing === undefined) return asked;
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message: `A token cannot hold ${missing}, because its key does not.`,
    details: { requiredScope: missing, scopes: held },
  });
};
