// The reason codes of the payment provider. The provider publishes the codes and not their HTTP statuses, so a known code decides,
// and the status decides only for unknown codes.

import { type No, no } from '../../base/answer.ts';
import { isRefusal, type Reply } from '../attempt.ts';
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
  // The names of the fields, not their values, which may be personal data.
  const fields = isFields(json) && isFields(json.data) ? Object.keys(json.data).join(', ') : '';
  const shown = code === CODES.invalid && fields !== '' ? `${reason} (${fields})` : reason;
  return DEFINITE.has(code) || isRefusal(status) ? no(shown, { code, status }) : null;
}

/** Needs the provider's own code: a bare 404 may come from a wrong address. */
export const isMissing = (reply: Reply): boolean =>
  [CODES.payinNotFound, CODES.payoutNotFound, CODES.userNotFound, CODES.notFound].some(
    (code) => code === codeOf(reply),
  );
