// One server for all tests of a file that change its tables behind its back: a server that others use would report it.

import type { TestApp } from '../support/app.ts';
import { startApp } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** Opens a marketplace of its own in the server of the file. */
export const shareTamperedServer = (): (() => Promise<TestApp>) => {
  const server = shareInFile((t) => startApp(t));
  let made = 0;
  return async () => {
    const app = server();
    const marketplaceId = `mkt_tampered-${++made}`;
    const every = await app.key(['*'], marketplaceId);
    return {
      ...app,
      marketplaceId,
      call: (request, ask = {}) => app.call(request, { key: every, ...ask }),
      key: (scopes, other = marketplaceId) => app.key(scopes, other),
      user: (ask = {}) => app.aUser({ key: every, ...ask }),
    };
  };
};
