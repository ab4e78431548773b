// Every condition under which the escrow contract says no, as the adapter tells it: a no with a code to decide by, while
// the call is prepared; and what the same words are worth when a submission is answered with them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTRACT_ERRORS } from '../../sandbox/src/escrow-provider/contract/errors.ts';
import { createEscrowProvider } from '../../server/src/providers/escrow/escrow-provider.ts';
import { meaningOf } from '../../server/src/providers/escrow/read-answers.ts';
import type { EscrowStep } from '../../server/src/providers/escrow-port.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { gather, multi, type Parties, perform, sign, single, stepsOf } from './parties.ts';
import { amount, gist, openSimulators, type Simulators, say, startOddOne, take } from './provider-fixture.ts';

/** One sandbox and its parties for all tests of this file; each test has contracts of its own. */
const shared = shareInFile(async (t) => {
  const simulators = await openSimulators(t);
  return { simulators, parties: await gather(simulators) };
});

const NOWHERE = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';

async function refuses(simulators: Simulators, code: string, step: EscrowStep): Promise<void> {
  assert.deepEqual(gist(await simulators.escrow.prepare(step)), ['no', code], `${step.kind} ${code}`);
}

async function scene(simulators: Simulators, type: EscrowStep['type']) {
  const { parties } = shared();
  const step = type === 'single-release' ? single(simulators, parties) : multi(simulators, parties);
  const contractId = (await perform(simulators, step, parties.buyer))!;
  return { parties, step: stepsOf(parties, { type, contractId }) };
}

const share = ({ buyer, seller }: Parties, ...amounts: string[]) => ({
  shares: amounts.map((text, index) => ({ address: [buyer, seller][index]!.publicKey(), amount: amount(text) })),
});

test('every text of the contract has a meaning of its own kind', () => {
  for (const [name, text] of Object.entries(CONTRACT_ERRORS)) {
    if (['FlagsSet', 'PlatformFixed', 'HasFunds', 'ApprovedFixed'].includes(name)) continue;
    assert.notEqual(meaningOf(text), 'REFUSED', text);
  }
});

test('a deployment: no amount, a fee above 99 percent, no milestone or more than ten', async () => {
  const { simulators, parties } = shared();
  const milestones = Array.from({ length: 11 }, () => ({ description: 'A part' }));
  await refuses(simulators, 'AMOUNT_NOT_POSITIVE', single(simulators, parties, { amount: amount('0') }));
  await refuses(simulators, 'FEE_TOO_HIGH', single(simulators, parties, { platformFeeBps: 9_901 }));
  await refuses(simulators, 'NO_MILESTONE', single(simulators, parties, { milestones: [] }));
  await refuses(simulators, 'TOO_MANY_MILESTONES', single(simulators, parties, { milestones }));
  const receiver = parties.seller.publicKey();
  const free = [{ description: 'Free', amount: amount('0'), receiver }];
  await refuses(simulators, 'AMOUNT_NOT_POSITIVE', multi(simulators, parties, { milestones: free }));
});

test('a request of the wrong form is a no with the provider’s words', async () => {
  const { simulators, parties } = shared();
  const answer = await simulators.escrow.prepare(
    single(simulators, parties, { asset: { code: 'EURC', issuer: 'GABC' } }),
  );
  assert.ok(answer.kind === 'no');
  assert.deepEqual([answer.status, /trustline/.test(answer.reason)], [400, true]);
});

test('funding: nothing, from too little, into nowhere', async () => {
  const { simulators } = shared();
  const { step } = await scene(simulators, 'single-release');
  await refuses(simulators, 'AMOUNT_NOT_POSITIVE', step.fund({ amount: amount('0') }));
  await refuses(simulators, 'SIGNER_SHORT', step.fund({ amount: amount('1000.0000001') }));
  await refuses(simulators, 'NOT_FOUND', step.fund({ contractId: NOWHERE }));
});

test('a milestone: the wrong person, the wrong index, no status, approved already', async () => {
  const { simulators } = shared();
  for (const type of ['single-release', 'multi-release'] as const) {
    const { parties, step } = await scene(simulators, type);
    const buyer = parties.buyer.publicKey();
    const seller = parties.seller.publicKey();
    await refuses(simulators, 'ONLY_SERVICE_PROVIDER', step.status({ signer: buyer }));
    await refuses(simulators, 'INDEX_INVALID', step.status({ milestone: 7 }));
    await refuses(simulators, 'ONLY_APPROVER', step.approve({ signer: seller }));
    await refuses(simulators, 'INDEX_INVALID', step.approve({ milestone: 7 }));
    await perform(simulators, step.status({ status: '' }), parties.seller);
    await refuses(simulators, 'STATUS_EMPTY', step.approve());
    await perform(simulators, step.status(), parties.seller);
    await perform(simulators, step.approve(), parties.buyer);
    await refuses(simulators, 'ALREADY_APPROVED', step.approve());
    await refuses(simulators, 'NOT_FOUND', step.status({ contractId: NOWHERE }));
  }
});

test('a release: the wrong person, not approved, too little, in dispute, resolved, released', async () => {
  const { simulators } = shared();
  const { parties, step } = await scene(simulators, 'single-release');
  await refuses(simulators, 'ONLY_RELEASE_SIGNER', step.release({ signer: parties.seller.publicKey() }));
  await refuses(simulators, 'NOT_APPROVED', step.release());
  await perform(simulators, step.status(), parties.seller);
  await perform(simulators, step.approve(), parties.buyer);
  await refuses(simulators, 'BALANCE_SHORT', step.release());
  await perform(simulators, step.fund(), parties.buyer);
  await perform(simulators, step.dispute(), parties.buyer);
  await refuses(simulators, 'IN_DISPUTE', step.release());
  await perform(simulators, step.resolve(), parties.platform);
  await refuses(simulators, 'ALREADY_RESOLVED', step.release());
  const other = await scene(simulators, 'single-release');
  await perform(simulators, other.step.fund(), other.parties.buyer);
  await perform(simulators, other.step.status(), other.parties.seller);
  await perform(simulators, other.step.approve(), other.parties.buyer);
  await perform(simulators, other.step.release(), other.parties.buyer);
  await refuses(simulators, 'ALREADY_RELEASED', other.step.release());
  await refuses(simulators, 'NOT_FOUND', other.step.release({ contractId: NOWHERE }));
});

test('a dispute and its resolution', async () => {
  const { simulators } = shared();
  const { parties, step } = await scene(simulators, 'single-release');
  await perform(simulators, step.fund(), parties.buyer);
  await refuses(simulators, 'RESOLVER_CANNOT_DISPUTE', step.dispute({ signer: parties.platform.publicKey() }));
  await refuses(simulators, 'NOT_AUTHORISED', step.dispute({ signer: parties.stranger.publicKey() }));
  await refuses(simulators, 'NOT_DISPUTED', step.resolve());
  await perform(simulators, step.dispute(), parties.buyer);
  await refuses(simulators, 'ALREADY_DISPUTED', step.dispute());
  await refuses(simulators, 'ONLY_RESOLVER', step.resolve({ signer: parties.buyer.publicKey() }));
  await refuses(simulators, 'TOTAL_ZERO', step.resolve({ shares: [] }));
  await refuses(simulators, 'SHARE_NOT_POSITIVE', step.resolve(share(parties, '11', '-1')));
  await refuses(simulators, 'TOTAL_NOT_BALANCE', step.resolve(share(parties, '4', '5')));
  await refuses(simulators, 'BALANCE_SHORT', step.resolve(share(parties, '4', '7')));
});

test('the milestones of a multi-release escrow', async () => {
  const { simulators } = shared();
  const { parties, step } = await scene(simulators, 'multi-release');
  const second = { milestone: 1 };
  await refuses(simulators, 'ONLY_RELEASE_SIGNER', step.release({ signer: parties.seller.publicKey() }));
  await refuses(simulators, 'INDEX_INVALID', step.release({ milestone: 2 }));
  await refuses(simulators, 'NOT_APPROVED', step.release());
  await perform(simulators, step.status(), parties.seller);
  await perform(simulators, step.approve(), parties.buyer);
  await refuses(simulators, 'BALANCE_SHORT', step.release());
  await perform(simulators, step.fund({ amount: amount('31') }), parties.buyer);
  await perform(simulators, step.release(), parties.buyer);
  await refuses(simulators, 'ALREADY_RELEASED', step.release());
  await refuses(simulators, 'ALREADY_RELEASED', step.dispute());
  await refuses(
    simulators,
    'RESOLVER_CANNOT_DISPUTE',
    step.dispute({ ...second, signer: parties.platform.publicKey() }),
  );
  await refuses(simulators, 'NOT_AUTHORISED', step.dispute({ ...second, signer: parties.stranger.publicKey() }));
  await refuses(simulators, 'NOT_DISPUTED', step.resolve(second));
  await perform(simulators, step.dispute(second), parties.buyer);
  await refuses(simulators, 'ALREADY_DISPUTED', step.dispute(second));
  await refuses(simulators, 'ONLY_RESOLVER', step.resolve({ ...second, signer: parties.buyer.publicKey() }));
  await refuses(simulators, 'INDEX_INVALID', step.resolve({ milestone: 9 }));
  await refuses(simulators, 'TOTAL_TOO_LARGE', step.resolve({ ...second, ...share(parties, '20.0000001') }));
  await refuses(simulators, 'NOT_ALL_PROCESSED', step.withdraw());
  await perform(simulators, step.resolve({ ...second, ...share(parties, '20') }), parties.platform);
  await refuses(simulators, 'ALREADY_RESOLVED', step.release(second));
  await refuses(simulators, 'ALREADY_RESOLVED', step.dispute(second));
  await refuses(simulators, 'ONLY_RESOLVER', step.withdraw({ signer: parties.buyer.publicKey() }));
  await refuses(simulators, 'BALANCE_SHORT', step.withdraw(share(parties, '1.0000001')));
});

test('the contract’s words at a submission are unknown, and the ledger says what became of it', async () => {
  const { simulators } = shared();
  const { parties, step } = await scene(simulators, 'single-release');
  await perform(simulators, step.fund(), parties.buyer);
  const seller = step.dispute({ signer: parties.seller.publicKey() });
  const { unsignedTransaction } = take(await simulators.escrow.prepare(seller));
  await perform(simulators, step.dispute(), parties.buyer);
  const late = await simulators.escrow.submit(sign(simulators, unsignedTransaction, parties.seller));
  assert.deepEqual(gist(late), ['unknown', 'provider-error']);
});

test('a used-up sequence number is stale, not no: this very envelope may have used it', async () => {
  const { simulators } = shared();
  const { parties, step } = await scene(simulators, 'single-release');
  const prepared = take(await simulators.escrow.prepare(step.fund()));
  await perform(simulators, step.fund({ amount: amount('3') }), parties.buyer);
  const answer = await simulators.escrow.submit(sign(simulators, prepared.unsignedTransaction, parties.buyer));
  assert.deepEqual(gist(answer), ['unknown', 'stale']);
});

test('an expired envelope is stale; an unsigned one is refused with the ledger’s code', async () => {
  const { simulators } = shared();
  const { parties, step } = await scene(simulators, 'single-release');
  const { unsignedTransaction } = take(await simulators.escrow.prepare(step.fund()));
  assert.deepEqual(gist(await simulators.escrow.submit(sign(simulators, unsignedTransaction))), ['no', 'tx_bad_auth']);
  await simulators.sandbox.clock.advance(600_000);
  const late = await simulators.escrow.submit(sign(simulators, unsignedTransaction, parties.buyer));
  assert.deepEqual(gist(late), ['unknown', 'stale']);
});

test('what the real provider may answer besides, at preparing and at submitting', async (t) => {
  const PREPARE: [number, unknown, string, string | null][] = [
    [500, { message: 'HostError: Error(Contract, #14)', code: 500 }, 'no', 'REFUSED'],
    [500, { message: 'The moon is in the wrong phase' }, 'no', 'REFUSED'],
    [500, { statusCode: 500, message: 'Internal server error' }, 'unknown', 'provider-error'],
    [500, { message: 'timeout of 10000ms exceeded' }, 'unknown', 'provider-error'],
    [502, { message: 'Escrow not found' }, 'unknown', 'provider-error'],
    [500, '<html>', 'unknown', 'provider-error'],
    [400, { message: ['amount must be a number', 'signer is empty'], statusCode: 400 }, 'no', 'REFUSED'],
    [404, { message: 'Escrow not found', code: 404 }, 'no', 'NOT_FOUND'],
    [404, '<html>', 'unknown', 'unclear'],
    [201, { status: 'FAILED', message: 'Escrow already in dispute' }, 'no', 'ALREADY_DISPUTED'],
    [201, { status: 'SUCCESS' }, 'unknown', 'unreadable'],
    [201, { status: 'PENDING' }, 'unknown', 'unclear'],
    [201, { status: 'SUCCESS', unsignedTransaction: 'AAAA' }, 'yes', null],
  ];
  const SUBMIT: typeof PREPARE = [
    [200, { status: 'SUCCESS', message: 'Sent' }, 'yes', null],
    [201, { status: 'SUCCESS', contractId: 'C1' }, 'yes', null],
    [200, { status: 'FAILED', message: 'Could not be sent' }, 'no', 'REFUSED'],
    [200, { status: 'FAILED', message: 'The transaction failed: tx_failed, op_underfunded' }, 'no', 'op_underfunded'],
    [200, { status: 'FAILED', message: 'txBadSeq' }, 'unknown', 'stale'],
    [200, { status: 'PENDING', message: 'not complete yet' }, 'unknown', 'lagging'],
    [200, { message: 'ok' }, 'unknown', 'lagging'],
    [200, '', 'unknown', 'lagging'],
    [500, { status: 'FAILED', message: 'For some unknown reason. Please try again.' }, 'unknown', 'provider-error'],
    [500, { message: 'Escrow already in dispute' }, 'unknown', 'provider-error'],
    [400, { message: 'The transaction failed: tx_bad_auth' }, 'no', 'tx_bad_auth'],
    [400, { message: 'The transaction failed: tx_too_late' }, 'unknown', 'stale'],
    [400, { message: 'signedXdr must be a string' }, 'unknown', 'unclear'],
    [504, { message: 'tx_internal_error' }, 'unknown', 'provider-error'],
  ];
  const step = { kind: 'approve', type: 'single-release', contractId: 'C1', milestone: 0, signer: 'G1' } as const;
  for (const [calls, name] of [
    [PREPARE, 'prepare'],
    [SUBMIT, 'submit'],
  ] as const) {
    const odd = await startOddOne(
      t,
      calls.map(([status, body]) => say(status, body as object)),
    );
    const breaker = { failuresMax: 100, pauseMs: 1 };
    const escrow = createEscrowProvider({ baseUrl: odd.url, apiKey: 'k', timeoutMs: 30_000, attemptsMax: 1, breaker });
    for (const [status, body, kind, code] of calls) {
      const answer = await (name === 'prepare' ? escrow.prepare(step) : escrow.submit('AAAA'));
      assert.deepEqual(gist(answer), [kind, code], `${name} ${status} ${JSON.stringify(body)}`);
    }
  }
});
