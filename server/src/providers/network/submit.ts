// Submits a signed envelope to the ledger. The hash is computed before the envelope is sent. The network gives the same answer for an
// expired envelope and for an envelope that was included before, so the ledger itself decides that case.

import { type Answer, type No, no, type Unknown, unknown, yes } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import type { ProviderClient } from '../http-client.ts';
import type { LedgerNetwork } from '../ledger-port.ts';
import { isFields } from '../reply-fields.ts';
import { library } from './library.ts';
import { isStale, isTrouble, readTransaction, refusalOf, resultCodesOf } from './read-ledger.ts';

type EnvelopeFacts = { hash: string; source: string; sequence: bigint; validUntil: number | null };

/** Null when the text is not a transaction. Signatures do not change the hash. */
export function readEnvelope(envelope: string, passphrase: string): EnvelopeFacts | null {
  try {
    const transaction = library().TransactionBuilder.fromXDR(envelope, passphrase);
    const inner = 'innerTransaction' in transaction ? transaction.innerTransaction : transaction;
    const maxTime = Number(inner.timeBounds?.maxTime ?? 0);
    return {
      hash: Buffer.from(transaction.hash()).toString('hex'),
      source: inner.source,
      sequence: BigInt(inner.sequence),
      validUntil: maxTime === 0 ? null : maxTime * 1_000,
    };
  } catch {
    return null;
  }
}

type Submitted = { hash: string; ledger: number };
type Reads = Pick<LedgerNetwork, 'passphrase' | 'transaction' | 'account' | 'latestLedger'>;

export async function submit(
  client: ProviderClient,
  { envelope, reads }: { envelope: string; reads: Reads },
): Promise<Answer<Submitted>> {
  const facts = readEnvelope(envelope, reads.passphrase);
  if (facts === null) return no('This is not a transaction envelope.', { code: 'transaction_malformed' });
  const answer = await client.request<Submitted>({
    operation: 'submit',
    method: 'POST',
    path: '/transactions',
    form: { tx: envelope },
    repeatable: true,
    read: (reply) => readSubmitted(reply, facts.hash),
    readError: readRefusal,
  });
  return answer.kind === 'unknown' && answer.code === 'stale' ? settleStale(answer, { facts, reads }) : answer;
}

function readSubmitted({ json, status }: Reply, hash: string): Answer<Submitted> {
  if (isFields(json) && json.successful === false) {
    return no('The transaction failed.', { code: 'tx_failed', status });
  }
  const read = readTransaction(json);
  if (read.hash !== hash) return unknown('The network answered about another transaction.', { code: 'unclear' });
  return yes({ hash, ledger: read.ledger });
}

function readRefusal(reply: Reply): No | Unknown | null {
  const codes = resultCodesOf(reply);
  // The network answers 504 when the transaction is not complete yet.
  if (codes === null)
    return reply.status === 504
      ? unknown('The transaction is not in a ledger yet.', { code: 'lagging' })
      : refusalOf(reply);
  const { transaction, operations } = codes;
  if (isStale(transaction))
    return unknown(`The ledger did not include the transaction: ${transaction}.`, { code: 'stale' });
  if (isTrouble(transaction))
    return unknown(`The ledger has an internal problem: ${transaction}.`, { code: 'provider-error' });
  const code = operations.find((entry) => entry !== 'op_success') ?? transaction;
  const sentence = `The ledger refused the transaction: ${[transaction, ...operations].join(', ')}.`;
  return no(sentence, { code, status: reply.status });
}

type Doubt = { facts: EnvelopeFacts; reads: Reads };

async function settleStale(stale: Unknown, { facts, reads }: Doubt): Promise<Answer<Submitted>> {
  const over = await isOver({ facts, reads });
  if (over.kind !== 'yes') return over.kind === 'no' ? stale : over;
  // Read after the envelope was found to be over, so that a "missing" is final.
  const found = await reads.transaction(facts.hash);
  if (found.kind !== 'yes') return found.kind === 'no' ? stale : found;
  const transaction = found.value;
  if (transaction.state === 'succeeded') return yes({ hash: facts.hash, ledger: transaction.ledger });
  if (transaction.state === 'failed') return no('The transaction failed.', { code: transaction.code });
  if (!over.value) return unknown('The ledger was not read far enough to be certain.', { code: 'lagging' });
  return no(stale.reason, { code: stale.reason.includes('tx_too_late') ? 'tx_too_late' : 'tx_bad_seq', status: 400 });
}

/** Whether the readable part of the ledger is past the point at which this envelope could be included. */
async function isOver({ facts, reads }: Doubt): Promise<Answer<boolean>> {
  const latest = await reads.latestLedger();
  if (latest.kind !== 'yes') return latest;
  if (facts.validUntil !== null && Date.parse(latest.value.closedAt) > facts.validUntil) return yes(true);
  const account = await reads.account(facts.source);
  if (account.kind !== 'yes') return account;
  return yes(account.value !== null && account.value.sequence >= facts.sequence);
}
