// A process of the measurement that is spoken to by messages: one question, one answer.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export const stopChild = async (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
};

/** The next message; a child that ends instead ends the measurement. */
const hear = async <Answer>(child: ChildProcess): Promise<Answer> => {
  const done = new AbortController();
  const { signal } = done;
  const gone = once(child, 'exit', { signal }).then(() => {
    throw new Error('a process of the measurement ended early');
  });
  gone.catch(() => {});
  const message = once(child, 'message', { signal });
  message.catch(() => {});
  try {
    return (await Promise.race([message, gone]))[0];
  } finally {
    done.abort();
  }
};

/** Starts a program; `first` is what it says when it is ready. */
export const startChild = async <First>(file: URL, cleanUp: AsyncDisposableStack) => {
  const child = fork(file);
  cleanUp.defer(() => stopChild(child));
  const first = await hear<First>(child);
  const ask = <Answer>(question: object): Promise<Answer> => {
    child.send(question);
    return hear<Answer>(child);
  };
  return { first, ask };
};
