// Collects the problems of a request as sentences. Their number is limited, so that a hostile body cannot cause an even longer
// response.

import { DomainError } from '../../base/domain-error.ts';

const MESSAGES_MAX = 50;
const NAME_SHOWN_MAX = 100;

/** A class, because each request makes two or three of them: an object with a getter took ten times as long to make. */
export class Messages {
  readonly list: string[] = [];
  /** What a message is about that concerns no single field. */
  readonly #whole: string;

  constructor(whole: string) {
    this.#whole = whole;
  }

  /** No further problem is kept, so there is no need to search for more. */
  get isFull(): boolean {
    return this.list.length >= MESSAGES_MAX;
  }

  add(path: string, rest: string): void {
    if (!this.isFull) this.list.push(`${path === '' ? this.#whole : shorten(path)} ${rest}`);
  }
}

export const validationError = (validationErrors: readonly string[]): DomainError =>
  new DomainError('VALIDATION_ERROR', { details: { validationErrors } });

const shorten = (path: string): string => (path.length > NAME_SHOWN_MAX ? `${path.slice(0, NAME_SHOWN_MAX)}…` : path);
