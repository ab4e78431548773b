// Every call that an escrow step writes is read back as the same call: a database that is older than the ledger books it by that.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair, StrKey } from '@stellar/stellar-sdk';
import { fromUnits } from '../../server/src/books/money.ts';
import { escrowActionOf } from '../../server/src/ledger/adoption/queries.ts';
import { encoded } from '../../server/src/ledger/format/contract-values.ts';
import { workCall } from '../../server/src/ledger/format/escrow-call.ts';
import { readEscrowCall } from '../../server/src/ledger/format/read-escrow-call.ts';
import { PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';

const contractId = StrKey.encodeContract(Buffer.alloc(32, 7));
const newAddress = () => Keypair.random().publicKey();
const signer = newAddress();
const seller = newAddress();
const platform = newAddress();
const at = { contractId, signer };
const shares = [
  { address: seller, amount: fromUnits(70n) },
  { address: platform, amount: fromUnits(5n) },
];

const KNOWN = {
  escrowId: 'esc_1',
  orderId: 'ord_1',
  currency: 'USD',
  contractType: 'multi-release',
  contractId,
  buyer: signer,
  seller,
  platform,
  operationId: 'opn_1',
} as const;

const read = (step: Parameters<typeof workCall>[0]) => {
  const { contract, fn, args } = workCall(step);
  const facts = { contract, fn, args: args.map(([, value]) => encoded(value)), authorisations: [] };
  return readEscrowCall(facts, PASSPHRASE);
};

test('each call is read with its milestone and its shares', () => {
  const single = { ...at, type: 'single-release' } as const;
  const multi = { ...at, type: 'multi-release', milestone: 3 } as const;
  const { milestone: _, ...whole } = multi;
  const shown = { [seller]: '70', [platform]: '5' };
  for (const [step, milestone, found] of [
    [{ ...single, kind: 'change-status', milestone: 2, status: 'completed' }, 2, null],
    [{ ...single, kind: 'approve', milestone: 2 }, 2, null],
    [{ ...single, kind: 'release' }, null, null],
    [{ ...multi, kind: 'release' }, 3, null],
    [{ ...single, kind: 'dispute' }, null, null],
    [{ ...multi, kind: 'dispute' }, 3, null],
    [{ ...single, kind: 'resolve', shares }, null, shown],
    [{ ...multi, kind: 'resolve', shares }, 3, shown],
    [{ ...whole, kind: 'withdraw-remaining', shares }, null, shown],
  ] as const) {
    const { kind: call } = step;
    assert.deepEqual(read(step), { call, milestone, contractId, units: null, shares: found, orderId: null }, call);
  }
});

test('a resolution is booked with the share of the platform, and a second funding as a part of its own', () => {
  const { shares: found, orderId: _, ...call } = read({ ...at, type: 'single-release', kind: 'resolve', shares })!;
  const resolved = escrowActionOf({ ...KNOWN, fundings: 1 }, { ...call, shares: found! });
  assert.deepEqual([resolved.sellerUnits, resolved.buyerUnits, resolved.platformUnits], ['70', '0', '5']);
  const fund = { call: 'fund', milestone: null, contractId, units: '50' } as const;
  const parts = [0, 1, 2].map((fundings) => escrowActionOf({ ...KNOWN, fundings }, fund).part);
  assert.deepEqual(parts, [undefined, 2, 3]);
});
