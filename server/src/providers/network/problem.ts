// Horizon's problem documents: what kind of no they are, and the ledger's codes in them.

import { type No, no } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import { isRefusal } from '../refusal.ts';
import { findText, isFields } from '../reply-fields.ts';

const kindOf = ({ json }: Reply): string | null =>
  isFields(json) ? (findText(json, 'type')?.split('/').at(-1) ?? null) : null;

/** In the network's own form; a bare 404 may come from a wrong address. */
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
  // A fee bump hides the codes of what it carries behind its own.
  const transaction = findText(codes, 'inner_transaction') ?? findText(codes, 'transaction');
  if (transaction === null) return null;
  const operations = Array.isArray(codes.operations) ? codes.operations.filter((code) => typeof code === 'string') : [];
  return { transaction, operations };
}
