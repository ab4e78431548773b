// The built package inside a context that has only what every runtime offers; started with --experimental-vm-modules by
// package.test.ts. Prints what the program there found out.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

/** All that it may rely on, beside the language itself. */
const GLOBALS = {
  fetch,
  Headers,
  Response,
  AbortController,
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  crypto,
  btoa,
  atob,
  setTimeout,
  clearTimeout,
  performance,
};

const [dist = '', url = '', apiKey = ''] = process.argv.slice(2);

const PROGRAM = `
import { Holdfast, HoldfastError, signWebhook, SurfaceB, verifyWebhook } from './index.js';

const holdfast = new Holdfast({ url, apiKey });
const { id } = await holdfast.users.create({ externalUserId: 'ada' });
const { available } = await holdfast.balances.credit(id, { amount: '5.00' });
const names = [];
for await (const user of holdfast.users.list({ limit: 1 })) names.push(user.externalUserId);
const types = [];
for await (const event of holdfast.events({ since: '1970-01-01T00:00:00Z', resources: ['Balance'] })) {
  types.push(event.eventType);
  break;
}
const refused = await holdfast.balances.debit(id, { amount: '6.00' }).catch((error) => error);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const { eventId } = await verifyWebhook({ ...(await signWebhook({ eventId: 'evt_1' }, { secret })), secret });
const stranger = await new SurfaceB({ url }).balances().catch((error) => error);
found = {
  available, names, types, eventId,
  refused: [refused instanceof HoldfastError, refused.code, refused.details.available],
  stranger: stranger.status,
};
`;

const context = vm.createContext({ ...GLOBALS, url, apiKey, found: null });
const loaded = new Map<string, vm.SourceTextModule>();

const load = (file: string, source = readFileSync(file, 'utf8')): vm.SourceTextModule => {
  const module = loaded.get(file) ?? new vm.SourceTextModule(source, { context, identifier: file });
  loaded.set(file, module);
  return module;
};

const program = load(path.join(dist, 'program.js'), PROGRAM);
await program.link((specifier, from) => load(path.resolve(path.dirname(from.identifier), specifier)));
await program.evaluate();
console.log(JSON.stringify(context.found));
