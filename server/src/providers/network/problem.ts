// Horizon's problem documents and the ledger's result codes in them or in any provider's text: `tx_bad_seq`, `op_underfunded`, also
// written `txBadSeq`.

import { type No, no } from '../../base/answer.ts';
import { snakeCase } from '../../base/snake-case.ts';
import { isRefusal, type Reply } from '../attempt.ts';
import { findText, isFields } from '../reply-fields.ts';

const kindOf = ({ json }: Reply): string | null =>
  isFields(json) ? (findText(json, 'type')?.split('/').at(-1) ?? null) : null;

/** Needs the network's own problem document: a bare 404 may come from a wrong address. */
export const isMissing = (reply: Reply): boolean => reply.status === 404 && kindOf(reply) === 'not_found';

export function refusalOf(reply: Reply): No | null {
  const kind = kindOf(reply);
  if (kind === null || !isRefusal(reply.status)) return null;
  const extras = isFields(reply.json) && isFields(reply.json.extras) ? reply.json.extras : {};
  const field = findText(extras, 'invalid_field');
  const why = findText(extras, 'reason') ?? (isFields(reply.json) ? findText(reply.json, 'detail') : null) ?? kind;
  return no(field === null ? why : `${field}: ${why}`, { code: kind, status: reply.status });
}

export type ResultCodes = { transaction: string; operations: readonly string[] };

export function resultCodesOf({ json }: Reply): ResultCodes | null {
  const extras = isFields(json) && isFields(json.extras) ? json.extras : {};
  const codes = isFields(extras.result_codes) ? extras.result_codes : {};
  // A fee bump has its own code in front of the codes of the inner transaction.
  const transaction = findText(codes, 'inner_transaction') ?? findText(codes, 'transaction');
  if (transaction === null) return null;
  const operations = Array.isArray(codes.operations) ? codes.operations.filter((code) => typeof code === 'string') : [];
  return { transaction, operations };
}

const CODE = /\b(?:tx|op)_[a-z_]+\b|\bfunction_trapped\b|\b(?:tx|op)[A-Z][A-Za-z]+\b/g;

/** The result codes in a text, in their order and written with underscores. */
export const findResultCodes = (text: string): string[] =>
  [...text.matchAll(CODE)].map(([code]) => snakeCase(code)).filter((code) => code !== 'op_success');

/** The envelope is too late, by its sequence number or its time. An envelope that was included before gets the same code. */
export const isStale = (code: string): boolean => code === 'tx_bad_seq' || code === 'tx_too_late';

/** A problem of the network itself: the envelope may still be included. */
export const isTrouble = (code: string): boolean => code === 'tx_internal_error' || code === 'tx_pending';
