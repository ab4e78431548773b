// The submission routes: synchronous, asynchronous, and Friendbot. A fault affects only payments; the faults of a contract call are
// at the escrow provider, where it is prepared.

import { setTimeout as delay } from 'node:timers/promises';
import { StrKey } from '@stellar/stellar-sdk';
import type { FastifyReply } from 'fastify';
import type { Fault } from '../faults.ts';
import type { FaultName } from '../faults-table.ts';
import { answerUnder } from '../http-misbehave.ts';
import type { LedgerConfig } from '../sandbox-config.ts';
import type { SimulatorTools } from '../simulator.ts';
import { anotherAmount } from './amounts.ts';
import { describeOperation } from './describe-operation.ts';
import { readEnvelope } from './envelope.ts';
import { createAccount, type Outside } from './faucet.ts';
import { presentTransaction } from './present.ts';
import { badRequest, malformed, timedOut, transactionFailed } from './problems.ts';
import { type Outcome, submit, type Twist } from './submit.ts';

type Tools = SimulatorTools<LedgerConfig> & { outside: Outside };
type Submission = { Body: { tx?: string } | undefined };

export function submitRoutes({ app, config, faults, flush, outside, url }: Tools): void {
  const { network } = outside;

  app.post<Submission>('/transactions', (request, reply) =>
    underFaults(request.body, { reply, present: (outcome, text) => presentOutcome(outcome, { text, url: url() }) }),
  );

  app.post<Submission>('/transactions_async', (request, reply) =>
    underFaults(request.body, {
      reply,
      present(outcome, text) {
        if (outcome.kind === 'malformed') throw malformed(text);
        if (outcome.kind === 'waiting') return reply.code(201).send({ tx_status: 'PENDING', hash: outcome.hash });
        if (outcome.kind === 'rejected') {
          const { hash, result } = outcome;
          return reply.code(400).send({ tx_status: 'ERROR', hash, error_result_xdr: result });
        }
        const { hash } = outcome.transaction;
        // The caller looks up whether the operations succeeded.
        if (outcome.first) return reply.code(201).send({ tx_status: 'PENDING', hash });
        return reply.code(409).send({ tx_status: 'DUPLICATE', hash });
      },
    }),
  );

  app.get<{ Querystring: { addr?: string } }>('/friendbot', (request) => {
    const { addr = '' } = request.query;
    if (!StrKey.isValidEd25519PublicKey(addr)) throw badRequest('addr', 'addr is the address of the new account');
    const outcome = createAccount(outside, addr);
    if (outcome === null) throw badRequest('addr', 'createAccountAlreadyExist: the account is funded already');
    return presentOutcome(outcome, { text: '', url: url() });
  });

  type Answer = { reply: FastifyReply; present: (outcome: Outcome, text: string) => unknown };

  async function underFaults(body: Submission['Body'], { reply, present }: Answer): Promise<unknown> {
    const text = body?.tx;
    if (typeof text !== 'string') throw badRequest('tx', 'send the envelope as the form field tx');
    const { ids, hash } = readPayment(text);
    // A transaction on the ledger can no longer be refused or changed.
    const of = network.store.find(hash) === undefined ? undefined : LATE_FAULTS;
    const fault = ids === null ? null : faults.strike({ operation: 'payment', ids, of });
    if (fault?.fault === 'timeout' && fault.delayMs !== null) {
      await delay(fault.delayMs);
      throw timedOut({ hash, envelope: text });
    }
    const act = (struck: Fault | null) => {
      // The network says that nothing happened, and nothing did.
      if (struck?.fault === 'http-200-failed') return { hash, successful: false, envelope_xdr: text };
      const twist: Twist = struck?.fault === 'wrong-amount' ? { alter: anotherAmount } : {};
      return present(submit(network, { text, twist }), text);
    };
    const refuse = () => {
      const outcome = submit(network, { text, twist: { fail: 'op_not_authorized' } });
      presentOutcome(outcome, { text, url: url() });
      throw new Error('A refused payment cannot succeed.');
    };
    return answerUnder({ reply, fault, flush, refuse, act });
  }

  // Payer and receivers, when it is a payment; an unreadable envelope is not a payment.
  function readPayment(text: string): { ids: string[] | null; hash: string } {
    try {
      const envelope = readEnvelope({ text, passphrase: config.passphrase });
      const hash = Buffer.from(envelope.hash).toString('hex');
      const kinds = new Set(['payment', 'path_payment_strict_send', 'path_payment_strict_receive']);
      const payments = envelope.operations
        .map((operation) => describeOperation({ operation, source: envelope.source, moves: [] }))
        .filter(({ type }) => kinds.has(type));
      if (payments.length === 0) return { ids: null, hash };
      const involved = payments.flatMap(({ participants }) => participants);
      return { ids: [hash, ...involved, ...(envelope.memo.value === null ? [] : [envelope.memo.value])], hash };
    } catch {
      return { ids: null, hash: '' };
    }
  }
}

const LATE_FAULTS: FaultName[] = ['timeout', 'slow', 'outage', 'lost-answer'];

function presentOutcome(outcome: Outcome, { text, url }: { text: string; url: string }) {
  if (outcome.kind === 'malformed') throw malformed(text);
  if (outcome.kind === 'waiting') throw timedOut({ hash: outcome.hash, envelope: text });
  if (outcome.kind === 'rejected') throw transactionFailed({ ...outcome, envelope: text });
  const { transaction } = outcome;
  if (transaction.successful) return presentTransaction(transaction, { url, hash: transaction.hash });
  const { codes, envelope, result, hash } = transaction;
  throw transactionFailed({ codes, envelope, result, hash });
}
