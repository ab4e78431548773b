// A page's cursor is the id of its last item; anything else is refused, so that a mistake does not look like the end.

import { type IdKind, idPattern } from '@holdfast/contract/ids.ts';
import type { DomainError } from '../base/domain-error.ts';
import { validationError } from './validation/messages.ts';

export const badCursor = (): DomainError => validationError(['cursor must be the nextCursor of the page before']);

export const checkedCursor = (kind: IdKind, cursor: string | undefined): string | null => {
  if (cursor === undefined) return null;
  if (!new RegExp(idPattern(kind)).test(cursor)) throw badCursor();
  return cursor;
};
