// The thread that verifies archives, so that hashing and parsing do not delay requests. It gets the folders, reads the files only, and
// posts the result of each archive in their order.

import { parentPort, workerData } from 'node:worker_threads';
import { readManifest } from './manifest.ts';
import { BrokenArchive } from './slices.ts';
import { verifyArchive } from './verify-archive.ts';
import type { FolderResult, FoldersToVerify } from './verify-folders.ts';

const { folders, key } = workerData as FoldersToVerify;

const resultOf = async ({ folder, manifestHash }: FoldersToVerify['folders'][number]): Promise<FolderResult> => {
  try {
    const manifest = await readManifest(folder, manifestHash);
    return { ends: await verifyArchive({ folder, manifest, key }), problem: null, file: null };
  } catch (error) {
    if (!(error instanceof BrokenArchive)) throw error;
    return { ends: null, problem: error.message, file: error.file };
  }
};

for (const one of folders) parentPort!.postMessage(await resultOf(one));
