// A browser never asks a second time for a script that did not come: until the tab is loaded anew, and the key with it is
// forgotten, that page is lost. So where there may be no connection, something small is asked for first.

const NOT_CONNECTED = 'You are not connected';

let mayBeAway = false;

export const isNotConnected = (error: unknown): boolean => error instanceof Error && error.message === NOT_CONNECTED;

export const whenConnected = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  // A server on the same machine answers without a network too: only asking tells.
  mayBeAway ||= !navigator.onLine;
  if (mayBeAway && !(await isAnswered())) throw new Error(NOT_CONNECTED);
  mayBeAway = false;
  return load();
};

const isAnswered = (): Promise<boolean> =>
  fetch('/console/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
