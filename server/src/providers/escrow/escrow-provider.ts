// The adapter of the escrow provider: Trustless Work, API version 1. It prepares, submits and looks up. It signs nothing and trusts
// no transaction of the provider: the signer checks each one.

import { yes } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import type { EscrowProvider, EscrowRecord } from '../escrow-port.ts';
import { type ClientOptions, createClient, type ProviderClient } from '../http-client.ts';
import { amountOf, fieldsOf, findText, isFields, listOf, textOf } from '../reply-fields.ts';
import { readEscrow, readPrepared, readSubmitted, refusePrepared, refuseSubmitted } from './read-answers.ts';
import { PATHS, writeCall } from './v1-calls.ts';

type EscrowProviderOptions = Omit<ClientOptions, 'provider' | 'headers'> & { apiKey: string };

// Far more than one order can have, so that the contract of the order is on the page.
const PAGE_SIZE = '100';

export function createEscrowProvider({ apiKey, ...options }: EscrowProviderOptions): EscrowProvider {
  return providerOf(createClient({ ...options, provider: 'escrow-provider', headers: { 'x-api-key': apiKey } }));
}

const GET = { method: 'GET', repeatable: true } as const;

function providerOf(client: ProviderClient): EscrowProvider {
  return {
    prepare(step) {
      const { operation, path, body } = writeCall(step);
      return client.request({
        operation,
        method: 'POST',
        path,
        json: body,
        repeatable: true,
        read: readPrepared,
        readError: refusePrepared,
      });
    },
    submit(signedEnvelope) {
      return client.request({
        operation: 'submit',
        method: 'POST',
        path: PATHS.submit,
        json: () => ({ signedXdr: signedEnvelope }),
        repeatable: true,
        read: readSubmitted,
        readError: refuseSubmitted,
      });
    },
    findByContract(contractIds) {
      return client.request({
        ...GET,
        operation: 'find-by-contract',
        path: PATHS.byContract,
        query: { 'contractIds[]': contractIds, validateOnChain: 'true' },
        read: readEscrows,
        readError: (reply) => (isNotFound(reply) ? yes([]) : refusePrepared(reply)),
      });
    },
    async findByEngagement({ signer, engagementId }) {
      const found = await client.request({
        ...GET,
        operation: 'find-by-engagement',
        path: PATHS.bySigner,
        query: { signer, engagementId, pageSize: PAGE_SIZE, validateOnChain: 'true' },
        read: readEscrows,
        readError: (reply) => (isNotFound(reply) ? yes([]) : refusePrepared(reply)),
      });
      if (found.kind !== 'yes') return found;
      // The provider ignores a filter that it does not know, which would return the contract of another order.
      const isOurs = (escrow: EscrowRecord) =>
        escrow.engagementId === engagementId && (escrow.signer ?? signer) === signer;
      return yes(found.value.filter(isOurs));
    },
    balances(contractIds) {
      return client.request({
        ...GET,
        operation: 'balances',
        path: PATHS.balances,
        query: { 'addresses[]': contractIds },
        read: ({ json }) => yes(listOf(json).map((entry) => readBalance(entry))),
        readError: refusePrepared,
      });
    },
    withPriority: (priority) => providerOf(client.withPriority(priority)),
    forMarketplace: (marketplaceId) => providerOf(client.forMarketplace(marketplaceId)),
  };
}

const readEscrows = ({ json }: Reply) => yes(listOf(json).map(readEscrow));

function readBalance(value: unknown) {
  const fields = fieldsOf(value, 'The balance');
  return { contractId: textOf(fields, 'address'), balance: amountOf(fields, 'balance') };
}

// "Cannot GET …" means a wrong address, not a missing escrow.
const isNotFound = ({ status, json }: Reply): boolean =>
  status === 404 && isFields(json) && /not found|no escrow/i.test(findText(json, 'message') ?? '');
