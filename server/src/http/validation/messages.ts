// Collects the problems of a request as sentences. Their number is limited, so that a hostile body cannot cause an even longer
// response.

import { DomainError } from '../../base/domain-error.ts';

const MESSAGES_MAX = 50;
const NAME_SHOWN_MAX = 100;

export type Messages = {
  readonly list: string[];
  /** No further problem is kept, so there is no need to search for more. */
  readonly isFull: boolean;
  add(path: string, rest: string): void;
};

export const collectMessages = (whole: string): Messages => {
  const list: string[] = [];
  return {
    list,
    get isFull() {
      return list.length >= MESSAGES_MAX;
    },
    add(path, rest) {
      if (list.length < MESSAGES_MAX) list.push(`${path === '' ? whole : shorten(path)} ${rest}`);
    },
  };
};

export const validationError = (validationErrors: readonly string[]): DomainError =>
  new DomainError('VALIDATION_ERROR', { details: { validationErrors } });

const shorten = (path: string): string => (path.length > NAME_SHOWN_MAX ? `${path.slice(0, NAME_SHOWN_MAX)}…` : path);
