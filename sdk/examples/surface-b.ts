// The smaller API: people with a password, projects, and an escrow for each. Amounts are numbers there.

import { randomUUID } from 'node:crypto';
import { Holdfast, SurfaceB } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const password = randomUUID();
const ada = new SurfaceB({ url: HOLDFAST_URL });
const grace = new SurfaceB({ url: HOLDFAST_URL });
const buyer = await ada.register({ email: `ada-${password}@example.com`, password, name: 'Ada' });
const seller = await grace.register({ email: `grace-${password}@example.com`, password, name: 'Grace' });

// Both surfaces show the same books.
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
await holdfast.balances.credit(buyer.id, { amount: '100.00' });

const project = await ada.createProject({ title: 'A logo', budget: 80, currency: 'USD' });
const escrow = await ada.initEscrow({ project_id: project.id, seller_id: seller.id, amount: 60, currency: 'USD' });
const { status, released_amount } = await ada.releaseEscrow({ escrow_id: escrow.escrow_id });
console.log(`${status}: ${released_amount}`);

for await (const { type, amount, currency } of grace.transactions()) console.log(`${type} ${amount} ${currency}`);
