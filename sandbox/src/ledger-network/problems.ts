// The refusals of the ledger: problem documents, with the codes for clients under `extras`.

import { Refusal } from '../refusal.ts';
import type { Codes } from './result-xdr.ts';

type Problem = { status: number; name: string; title: string; detail: string; extras?: Record<string, unknown> };

export function problem({ status, name, title, detail, extras }: Problem): Refusal {
  const type = `https://stellar.org/horizon-errors/${name}`;
  return new Refusal(status, detail, { type, title, status, detail, ...(extras === undefined ? {} : { extras }) });
}

export const notFound = () =>
  problem({
    status: 404,
    name: 'not_found',
    title: 'Resource Missing',
    detail: 'The resource at the url requested was not found.',
  });

export const badRequest = (field: string, reason: string) =>
  problem({
    status: 400,
    name: 'bad_request',
    title: 'Bad Request',
    detail: 'The request you sent was invalid in some way.',
    extras: { invalid_field: field, reason },
  });

export const refused = () =>
  problem({ status: 400, name: 'bad_request', title: 'Bad Request', detail: 'Refused by an armed fault.' });

export const malformed = (envelope: string) =>
  problem({
    status: 400,
    name: 'transaction_malformed',
    title: 'Transaction Malformed',
    detail: 'The transaction could not be decoded: it is not a base64 transaction envelope of this network.',
    extras: { envelope_xdr: envelope },
  });

type Failure = { codes: Codes; envelope: string; result: string; hash: string };

export const transactionFailed = ({ codes, envelope, result, hash }: Failure) =>
  problem({
    status: 400,
    name: 'transaction_failed',
    title: 'Transaction Failed',
    detail: 'The transaction failed when submitted to the network. The codes under extras.result_codes say why.',
    extras: { envelope_xdr: envelope, result_codes: codes, result_xdr: result, hash },
  });

export const timedOut = ({ hash, envelope }: { hash: string; envelope: string }) =>
  problem({
    status: 504,
    name: 'timeout',
    title: 'Timeout',
    detail: 'The request ended before the transaction was seen in a ledger. Look its hash up, or submit it again.',
    extras: { hash, envelope_xdr: envelope },
  });
