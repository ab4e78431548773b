// Checks the connection before a page is loaded. A browser never retries a script that failed to load: the page stays
// broken until a reload, and a reload signs the user out. So a small request is sent first.

const NOT_CONNECTED = 'You are offline';

let mayBeAway = false;

export const isNotConnected = (error: unknown): boolean => error instanceof Error && error.message === NOT_CONNECTED;

export const whenConnected = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  // A server on the same machine answers without a network. Only a request shows it.
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
