// Step 10: the checks to make before the first real order, and after every deployment.

import { holdfast } from './shop.ts';

const { sandbox, platformFeePercent } = await holdfast.service.config();
console.log(sandbox ? 'Play money: the outside systems are simulators' : 'Real money');
console.log(`Default platform fee: ${platformFeePercent} %`);

const { probes } = await holdfast.service.detailedHealth();
const down = probes.filter(({ status }) => status === 'down');
for (const { name, detail } of down) console.log(`Down: ${name}. ${detail}`);

const proof = await holdfast.audit.proof();
for (const { currency, difference } of proof.currencies) console.log(`${currency}: difference ${difference}`);
const chain = await holdfast.audit.verify();

const isReady = proof.holds && chain.holds && down.length === 0;
console.log(isReady ? 'All checks passed' : 'Do not go live');
process.exitCode = isReady ? 0 : 1;
