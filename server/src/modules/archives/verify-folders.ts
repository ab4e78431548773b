// Verifies the folders of archives in a thread of their own, with a bounded heap. The event loop of the server only waits for results.

import { Worker } from 'node:worker_threads';
import { DomainError } from '../../base/domain-error.ts';
import type { EndsSum } from './account-ends.ts';

export type FoldersToVerify = {
  readonly folders: readonly { readonly folder: string; readonly manifestHash: string }[];
  /** The key of the sum over the ends of accounts. */
  readonly key: string;
};

export type FolderResult = {
  /** Null when something does not hold. */
  readonly ends: EndsSum | null;
  readonly problem: string | null;
  /** The file with the problem; null: it is not in one file. */
  readonly file: string | null;
};

type Verification = FoldersToVerify & {
  /** Gets the result of each folder, in their order. */
  onResult(result: FolderResult): void;
  /** Ends the verification early, because its caller has left. */
  readonly left?: AbortSignal | undefined;
  readonly heapMiB?: number;
};

/** A line of an archive is some kilobytes at most. More heap would only delay the garbage collection. */
const HEAP_MIB = 64;

const startThread = ({ folders, key, heapMiB = HEAP_MIB }: Verification): Worker =>
  new Worker(new URL('./verifying-thread.ts', import.meta.url), {
    workerData: { folders, key } satisfies FoldersToVerify,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: heapMiB / 4 },
  });

export const verifyFolders = async (verification: Verification): Promise<void> => {
  const { folders, left, onResult } = verification;
  if (folders.length === 0) return;
  const thread = startThread(verification);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = (): void => reject(new DomainError('SERVICE_UNAVAILABLE', { message: 'The caller has left.' }));
  let results = 0;
  thread.on('message', (result: FolderResult) => {
    results += 1;
    onResult(result);
  });
  thread.on('error', reject);
  thread.on('exit', (code) => {
    if (results === folders.length) resolve();
    else reject(new Error(`The verification of the archives ended early, with code ${code}.`));
  });
  left?.addEventListener('abort', leave, { once: true });
  if (left?.aborted) leave();
  try {
    await promise;
  } finally {
    left?.removeEventListener('abort', leave);
    await thread.terminate();
  }
};
