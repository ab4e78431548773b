// One server for all tests of a file that change its tables directly. A shared server would report these changes.

import { startApp, type TestApp } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';

/** Opens a new marketplace in the server of the file. */
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
      aUser: (ask = {}) => app.aUser({ key: every, ...ask }),
    };
  };
};
