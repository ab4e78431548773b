// The payment provider's reason codes. It publishes the codes and not their HTTP statuses, so the code decides wherever it
// is one of these; the status only where it is not.

import { type No, no } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import { isRefusal } from '../refusal.ts';
import { findText, isFields } from '../reply-fields.ts';

export const CODES = {
  payoutNotFound: '415005',
  recipientInactive: '415009',
  floatTooLow: '415016',
  payoutAlreadyProcessed: '415027',
  payinCodeTaken: '415029',
  payinNotCancelable: '415030',
  payinNotFound: '415031',
  payoutNotCancelable: '415055',
  payoutCodeTaken: '415056',
  userNotFound: '415059',
  notFound: '415902',
  invalid: '415906',
} as const;

const DEFINITE: ReadonlySet<string> = new Set(Object.values(CODES));

export const codeOf = ({ json }: Reply): string | null => (isFields(json) ? findText(json, 'code') : null);

export function refusalOf(reply: Reply): No | null {
  const { status, json } = reply;
  const code = codeOf(reply);
  if (code === null || !/^415\d{3}$/.test(code)) return null;
  const reason = (isFields(json) && findText(json, 'message')) || `Reason ${code}`;
  // Words about the fields, not their values: those may be a person's.
  const fields = isFields(json) && isFields(json.data) ? Object.keys(json.data).join(', ') : '';
  const told = code === CODES.invalid && fields !== '' ? `${reason} (${fields})` : reason;
  return DEFINITE.has(code) || isRefusal(status) ? no(told, { code, status }) : null;
}

/** A missing thing in the provider's own words; a bare 404 may come from a wrong address. */
export const isMissing = (reply: Reply): boolean =>
  [CODES.payinNotFound, CODES.payoutNotFound, CODES.userNotFound, CODES.notFound].some(
    (code) => code === codeOf(reply),
  );
