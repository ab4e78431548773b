// Reads the answers of the escrow provider. A prepared call has no effect, so its refusals are definite. A submission may have
// reached the ledger whatever its answer says, so only a code of the ledger or the status FAILED is a no.

import { type Answer, type No, no, type Unknown, unknown, yes } from '../../base/answer.ts';
import { isRefusal, type Reply } from '../attempt.ts';
import { findResultCodes, isStale, isTrouble } from '../network/problem.ts';
import { findText, isFields, textOf } from '../reply-fields.ts';
import { isContractRefusal, meaningOf } from './refusal-codes.ts';

const FAILED = ['FAILED', 'ERROR'];

export function readPrepared({ json, status }: Reply): Answer<{ unsignedTransaction: string }> {
  const fields = isFields(json) ? json : {};
  const said = findText(fields, 'status');
  if (said !== null && FAILED.includes(said)) return refused(messageOf(json) ?? said, status);
  if (said !== null && said !== 'SUCCESS') return unknown('unclear', `The provider answered ${said}.`);
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
  return unknown('lagging', `The submission is not complete yet (${said ?? 'no status'}).`);
}

/** Without a code of the ledger the outcome stays unknown, also for a 400: looking up the hash gives certainty. */
export function refuseSubmitted({ json, status }: Reply): No | Unknown | null {
  const message = messageOf(json);
  if (message === null || status === 401 || status === 403) return null;
  const byCode = readCodes(message, status);
  if (byCode !== null) return byCode;
  return status >= 500 ? null : unknown('unclear', `The submission was not accepted (${status}): ${message}`);
}

function readCodes(message: string, status: number): No | Unknown | null {
  const codes = findResultCodes(message);
  const [code] = codes;
  if (code === undefined) return null;
  if (codes.some(isStale)) return unknown('stale', `The ledger did not include the transaction: ${code}.`);
  if (codes.some(isTrouble)) return unknown('provider-error', `The ledger has an internal problem: ${code}.`);
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
