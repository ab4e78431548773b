// A list is read item by item; the client requests the next page when the current one has been read.

import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
for (const name of ['ada', 'grace', 'edsger']) await holdfast.users.create({ externalUserId: name });

for await (const user of holdfast.users.list({ limit: 2 })) console.log(user.externalUserId);

// One page, for a screen that has a button for the next.
const page = await holdfast.users.list({ limit: 2 }).page();
const rest = await holdfast.users.list({ limit: 2, cursor: page.nextCursor ?? '' }).page();
console.log(`${page.items.length} and ${rest.items.length}, more: ${rest.hasMore}`);

// All items at once, when there cannot be many.
const everybody = await holdfast.users.list().toArray({ max: 1_000 });
console.log(`${everybody.length} users`);
