// How long to wait, how often to try, and how to stop.

import { Holdfast, HoldfastError } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({
  url: HOLDFAST_URL,
  apiKey: HOLDFAST_KEY,
  timeoutMs: 10_000,
  maxRetries: 2,
  onAttempt: ({ method, path, attempt, status }) => console.log(`${method} ${path} #${attempt}: ${status}`),
});

// One call may have its own limits, and a signal ends it together with its retries.
const signal = AbortSignal.timeout(60_000);
const { status } = await holdfast.service.health({ timeoutMs: 2_000, maxRetries: 0, signal });
console.log(`The service is ${status}`);

const nowhere = new Holdfast({ url: 'http://127.0.0.1:65432', maxRetries: 0 });
await nowhere.service.health().catch((error) => {
  if (error instanceof HoldfastError && error.code === 'CONNECTION_FAILED') console.log(error.details.reason);
});
