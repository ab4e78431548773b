// Step 4: the money goes into a contract on the ledger. From here on neither party can take it alone.

import { holdfast, orderOf, showBalance } from './shop.ts';

const { id } = await orderOf('guide-website');
const created = await holdfast.orders.createEscrow(id);
console.log(`${created.status}: the contract is ${created.escrow?.providerContractId}`);

const funded = await holdfast.orders.fundEscrow(id);
console.log(`${funded.status}: the contract holds ${funded.escrow?.amount} ${funded.currency}`);
await showBalance('ada');
