// The escrow provider's adapter: Trustless Work, API version 1. It prepares, submits and looks up; it signs nothing and
// trusts no transaction it was given: whoever signs checks it.

import { yes } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import type { EscrowProvider, EscrowRecord } from '../escrow-port.ts';
import { type ClientOptions, createClient } from '../http-client.ts';
import { amountOf, fieldsOf, findText, isFields, listOf, textOf } from '../reply-fields.ts';
import { readPrepared, readSubmitted, refusePrepared, refuseSubmitted } from './judge.ts';
import { readEscrow } from './read-escrow.ts';
import { PATHS, writeCall } from './v1-calls.ts';

export type EscrowProviderOptions = Omit<ClientOptions, 'provider' | 'headers'> & { apiKey: string };

// Far more than one order can have, so that the order's own is on the page.
const PAGE_SIZE = '100';

export function createEscrowProvider({ apiKey, ...options }: EscrowProviderOptions): EscrowProvider {
  const client = createClient({ ...options, provider: 'escrow-provider', headers: { 'x-api-key': apiKey } });
  const look = { method: 'GET', repeatable: true } as const;

  return {
    prepare(step) {
      const { operation, path, body } = writeCall(step);
      return client.ask({
        ...{ operation, method: 'POST', path, json: body },
        repeatable: true,
        read: readPrepared,
        otherwise: refusePrepared,
      });
    },
    submit(signedEnvelope) {
      return client.ask({
        ...{ operation: 'submit', method: 'POST', path: PATHS.submit, json: () => ({ signedXdr: signedEnvelope }) },
        repeatable: true,
        read: readSubmitted,
        otherwise: refuseSubmitted,
      });
    },
    findByContract(contractIds) {
      return client.ask({
        ...look,
        ...{ operation: 'find-by-contract', path: PATHS.byContract },
        query: { 'contractIds[]': contractIds, validateOnChain: 'true' },
        read: readEscrows,
        otherwise: (reply) => (isNotFound(reply) ? yes([]) : refusePrepared(reply)),
      });
    },
    async findByEngagement({ signer, engagementId }) {
      const found = await client.ask({
        ...look,
        ...{ operation: 'find-by-engagement', path: PATHS.bySigner },
        query: { signer, engagementId, pageSize: PAGE_SIZE, validateOnChain: 'true' },
        read: readEscrows,
        otherwise: (reply) => (isNotFound(reply) ? yes([]) : refusePrepared(reply)),
      });
      if (found.kind !== 'yes') return found;
      // A filter the provider does not know would be ignored by it, and another order's contract be taken for ours.
      const isOurs = (escrow: EscrowRecord) =>
        escrow.engagementId === engagementId && (escrow.signer ?? signer) === signer;
      return yes(found.value.filter(isOurs));
    },
    balances(contractIds) {
      return client.ask({
        ...look,
        ...{ operation: 'balances', path: PATHS.balances, query: { 'addresses[]': contractIds } },
        read: ({ json }) => yes(listOf(json).map((entry) => readBalance(entry))),
        otherwise: refusePrepared,
      });
    },
  };
}

const readEscrows = ({ json }: Reply) => yes(listOf(json).map(readEscrow));

function readBalance(value: unknown) {
  const fields = fieldsOf(value, 'The balance');
  return { contractId: textOf(fields, 'address'), balance: amountOf(fields, 'balance') };
}

// "Cannot GET …" is a wrong address, not a missing escrow.
const isNotFound = ({ status, json }: Reply): boolean =>
  status === 404 && isFields(json) && /not found|no escrow/i.test(findText(json, 'message') ?? '');
