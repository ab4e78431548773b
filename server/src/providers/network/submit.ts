// Submission of a signed envelope to the ledger. Its hash is computed before it is sent. A late envelope looks the same to
// the network whether it was never included or included before, so that case is decided by what the ledger holds.

import { type Answer, type No, no, type Unknown, unknown, yes } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import type { ProviderClient } from '../http-client.ts';
import type { LedgerNetwork } from '../ledger-port.ts';
import { isFields } from '../reply-fields.ts';
import { isStale, isTrouble } from '../result-codes.ts';
import { type EnvelopeFacts, readEnvelope } from './envelopes.ts';
import { refusalOf, resultCodesOf } from './problem.ts';
import { readTransaction } from './read-ledger.ts';

type Submitted = { hash: string; ledger: number };
type Reads = Pick<LedgerNetwork, 'passphrase' | 'transaction' | 'account' | 'latestLedger'>;

export async function submit(
  client: ProviderClient,
  { envelope, reads }: { envelope: string; reads: Reads },
): Promise<Answer<Submitted>> {
  const facts = readEnvelope(envelope, reads.passphrase);
  if (facts === null) return no('This is no transaction envelope.', { code: 'transaction_malformed' });
  const answer = await client.ask<Submitted>({
    ...{ operation: 'submit', method: 'POST', path: '/transactions', form: { tx: envelope } },
    repeatable: true,
    read: (reply) => readSubmitted(reply, facts.hash),
    otherwise: refuse,
  });
  return answer.kind === 'unknown' && answer.code === 'stale' ? settleStale(answer, { facts, reads }) : answer;
}

function readSubmitted({ json, status }: Reply, hash: string): Answer<Submitted> {
  if (isFields(json) && json.successful === false) {
    return no('The transaction failed.', { code: 'tx_failed', status });
  }
  const told = readTransaction(json);
  if (told.hash !== hash) return unknown('unclear', 'The network answers about another transaction.');
  return yes({ hash, ledger: told.ledger });
}

function refuse(reply: Reply): No | Unknown | null {
  const codes = resultCodesOf(reply);
  // 504 is the network's own way to say "not complete yet".
  if (codes === null) return reply.status === 504 ? unknown('lagging', 'Not in a ledger yet.') : refusalOf(reply);
  const { transaction, operations } = codes;
  if (isStale(transaction)) return unknown('stale', `The ledger did not take the transaction: ${transaction}.`);
  if (isTrouble(transaction)) return unknown('provider-error', `The ledger is in trouble: ${transaction}.`);
  const code = operations.find((entry) => entry !== 'op_success') ?? transaction;
  const sentence = `The ledger refused the transaction: ${[transaction, ...operations].join(', ')}.`;
  return no(sentence, { code, status: reply.status });
}

type Doubt = { facts: EnvelopeFacts; reads: Reads };

async function settleStale(stale: Unknown, { facts, reads }: Doubt): Promise<Answer<Submitted>> {
  const before = await isOver({ facts, reads });
  if (before.kind !== 'yes') return before.kind === 'no' ? stale : before;
  // Asked after it was found to be over, so that a "missing" can not change any more.
  const found = await reads.transaction(facts.hash);
  if (found.kind !== 'yes') return found.kind === 'no' ? stale : found;
  const transaction = found.value;
  if (transaction.state === 'succeeded') return yes({ hash: facts.hash, ledger: transaction.ledger });
  if (transaction.state === 'failed') return no('The transaction failed.', { code: transaction.code });
  if (!before.value) return unknown('lagging', 'The ledger is not read far enough to be sure.');
  return no(stale.reason, { code: stale.reason.includes('tx_too_late') ? 'tx_too_late' : 'tx_bad_seq', status: 400 });
}

/** Whether what we can read of the ledger already lies behind the point at which this envelope could be included. */
async function isOver({ facts, reads }: Doubt): Promise<Answer<boolean>> {
  const latest = await reads.latestLedger();
  if (latest.kind !== 'yes') return latest;
  if (facts.validUntil !== null && Date.parse(latest.value.closedAt) > facts.validUntil) return yes(true);
  const account = await reads.account(facts.source);
  if (account.kind !== 'yes') return account;
  return yes(account.value !== null && account.value.sequence >= facts.sequence);
}
