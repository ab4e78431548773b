// Every call of both kinds of contracts that a database may have forgotten: each prefix of the calls of a release and of a resolution is
// known, and the rest is adopted.

import { test } from 'node:test';
import { assertAdoptedCalls, openOlder } from './adoption-fixture.ts';
import { type CallName, openEscrowFixture } from './escrow-fixture.ts';

type Step = { readonly call: CallName; readonly milestone?: number };

const step = (call: CallName, milestone?: number): Step => ({
  call,
  ...(milestone === undefined ? {} : { milestone }),
});

const WAYS = {
  'single-release': {
    released: [step('change-status'), step('approve'), step('release')],
    resolved: [step('dispute'), step('resolve')],
  },
  'multi-release': {
    released: [0, 1].flatMap((at) => [step('change-status', at), step('approve', at), step('release', at)]),
    resolved: [0, 1].flatMap((at) => [step('dispute', at), step('resolve', at)]),
  },
} as const;

/** What each milestone, or the whole order, is divided into. */
const sharesOf = (type: keyof typeof WAYS, { milestone }: Step) => {
  if (type === 'single-release') return { seller: '20', buyer: '10' };
  return milestone === 0 ? { seller: '4', buyer: '6' } : { seller: '20', buyer: '0' };
};

for (const [type, ways] of Object.entries(WAYS) as [keyof typeof WAYS, (typeof WAYS)[keyof typeof WAYS]][]) {
  for (const [way, steps] of Object.entries(ways)) {
    for (let known = 0; known < steps.length; known++) {
      test(`${type}, ${way}: ${known} of ${steps.length} calls after the funding are known`, async (t) => {
        const fixture = await openEscrowFixture(t, { type });
        const { order } = fixture;
        await order.funded();
        const make = ({ call, ...asked }: Step) =>
          order.make(call, { ...asked, ...(call === 'resolve' ? { shares: sharesOf(type, { call, ...asked }) } : {}) });
        for (const one of steps.slice(0, known)) await make(one);
        const older = await openOlder(t, fixture.environment);
        for (const one of steps.slice(known)) await make(one);
        await assertAdoptedCalls(t, { fixture, older });
      });
    }
  }
}
