// The plan of the next contract call, checked with a model of the contract: from every state that an earlier attempt can leave,
// the plan ends with an empty contract, breaks no rule of the contract, and makes no call twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Amount, fromUnits, minus, platformFee, ZERO } from '../../server/src/books/money.ts';
import { contractTypeFor, type DoneCall } from '../../server/src/modules/escrows/escrow.ts';
import { type Call, type Goal, nextCall } from '../../server/src/modules/escrows/operations/next-call.ts';

type Milestone = { amount: bigint; marked: boolean; approved: boolean; disputed: boolean; finished: boolean };

/** The published rules of the contract as a small model. */
const openContract = (amounts: readonly Amount[]) => {
  const type = contractTypeFor(amounts.length);
  const milestones: Milestone[] = amounts.map((amount) => ({
    amount,
    marked: false,
    approved: false,
    disputed: false,
    finished: false,
  }));
  const whole = { disputed: false, finished: false };
  const paid = { seller: 0n, buyer: 0n };
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  const calls: DoneCall[] = [];

  const at = (place: number | null) => (type === 'multi-release' ? milestones[place!]! : whole);

  const make = ({ call, milestone, shares }: Call): void => {
    assert.ok(!calls.some((done) => done.call === call && done.milestone === milestone), `${call} ${milestone} twice`);
    const place = at(milestone);
    assert.ok(!place.finished, 'nothing is called on what is finished');
    if (call === 'change-status') milestones[milestone!]!.marked = true;
    if (call === 'approve') {
      assert.ok(milestones[milestone!]!.marked);
      milestones[milestone!]!.approved = true;
    }
    if (call === 'dispute') {
      assert.ok(!place.disputed);
      place.disputed = true;
    }
    if (call === 'release') {
      assert.ok(!place.disputed, 'what is disputed cannot be released');
      const part = type === 'multi-release' ? [milestones[milestone!]!] : milestones;
      assert.ok(part.every(({ approved }) => approved));
      paid.seller += type === 'multi-release' ? part[0]!.amount : total;
      place.finished = true;
    }
    if (call === 'resolve') {
      assert.ok(place.disputed && shares);
      const whatIsThere = type === 'multi-release' ? milestones[milestone!]!.amount : total;
      assert.equal(shares.seller + shares.buyer, whatIsThere);
      assert.ok(shares.seller >= 0n && shares.buyer >= 0n);
      paid.seller += shares.seller;
      paid.buyer += shares.buyer;
      place.finished = true;
    }
    const units = shares ? { sellerUnits: String(shares.seller), buyerUnits: String(shares.buyer) } : {};
    calls.push({ call, milestone, ...units });
  };

  const next = (goal: Goal): Call | null => nextCall({ contractType: type, calls, amounts, surplus: ZERO }, goal);
  return { type, paid, total, calls, make, next };
};

const amounts = fc.array(
  fc.bigInt(1n, 10n ** 12n).map((cents) => fromUnits(cents * 100_000n)),
  {
    minLength: 1,
    maxLength: 10,
  },
);

const goalFor = (total: Amount, { kind, share }: { kind: string; share: number }): Goal => {
  const seller = fromUnits((total * BigInt(share)) / 100n);
  if (kind === 'release') return { seller: total, buyer: ZERO, by: 'release' };
  if (kind === 'refund') return { seller: ZERO, buyer: total, by: 'dispute' };
  return { seller, buyer: minus(total, seller), by: 'dispute' };
};

const goal = fc.record({
  kind: fc.constantFrom('release', 'refund', 'split'),
  share: fc.integer({ min: 0, max: 100 }),
});
const sum = (parts: readonly Amount[]): Amount => fromUnits(parts.reduce((all, part) => all + part, 0n));

test('a plan without an interruption pays each side the decided amount', () => {
  fc.assert(
    fc.property(amounts, goal, (parts, asked) => {
      const contract = openContract(parts);
      const wanted = goalFor(sum(parts), asked);
      for (let call = contract.next(wanted); call !== null; call = contract.next(wanted)) contract.make(call);
      assert.deepEqual(contract.paid, { seller: wanted.seller, buyer: wanted.buyer });
    }),
  );
});

test('every state that an earlier attempt left is finished, by the rules of the contract and with no call twice', () => {
  fc.assert(
    fc.property(
      amounts,
      fc.array(fc.tuple(goal, fc.integer({ min: 0, max: 20 })), { maxLength: 4 }),
      goal,
      (parts, broken, last) => {
        const contract = openContract(parts);
        for (const [asked, steps] of broken) {
          const wanted = goalFor(sum(parts), asked);
          for (let step = 0; step < steps; step++) {
            const call = contract.next(wanted);
            if (call === null) break;
            contract.make(call);
          }
        }
        const wanted = goalFor(sum(parts), last);
        for (let call = contract.next(wanted); call !== null; call = contract.next(wanted)) contract.make(call);
        assert.equal(contract.paid.seller + contract.paid.buyer, contract.total, 'the contract is empty');
      },
    ),
  );
});

test('a resolution includes money of a third party in the contract, which goes to the platform', () => {
  const total = fromUnits(1_000_000n);
  const surplus = fromUnits(7n);
  const disputed: DoneCall[] = [{ call: 'dispute', milestone: null }];
  const contract = { contractType: 'single-release', calls: disputed, amounts: [total], surplus } as const;
  const refund = nextCall(contract, { seller: ZERO, buyer: total, by: 'dispute' });
  assert.deepEqual(refund?.shares, { seller: 0n, buyer: 1_000_000n, platform: 7n });
  const split = nextCall(contract, { seller: fromUnits(600_000n), buyer: fromUnits(400_000n), by: 'dispute' });
  assert.deepEqual(split?.shares, { seller: 600_000n, buyer: 400_000n, platform: 7n });
});

test('a fee of hundredths of a percent of an amount with two places is exact', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 13n), fc.integer({ min: 0, max: 9_900 }), (cents, bps) => {
      const fee = platformFee(fromUnits(cents * 100_000n), bps);
      assert.equal(fee * 10_000n, cents * 100_000n * BigInt(bps));
    }),
  );
});
