// Which tests `npm run test:cluster` runs on a coordinator and two workers, and why some are left out.

/** The folders whose tests run on a cluster. */
const FOLDERS = [
  'alerts',
  'books',
  'cluster',
  'commit',
  'contract',
  'crash',
  'milestones',
  'orders',
  'payments',
  'policies',
  'preview',
  'races',
  'simulation',
  'stories',
  'stream',
  'surface-b',
  'webhooks',
];

/** Long tests that are part of it: single cases that take long, and whole marketplaces with kills, a restore, archives and attackers. */
export const CLUSTER_LONG_FILES = [
  'tests/books/activity-sums.long.test.ts',
  'tests/books/checkpoints.long.test.ts',
  'tests/cluster/drills.long.test.ts',
  'tests/cluster/life.long.test.ts',
  'tests/contract/escrow-under-way.long.test.ts',
  'tests/contract/withdrawals-memo.long.test.ts',
  'tests/crash/orders.long.test.ts',
  'tests/milestones/release.long.test.ts',
  'tests/orders/fees.long.test.ts',
  'tests/orders/older-database.long.test.ts',
  'tests/orders/surplus.long.test.ts',
  'tests/payments/float-breaks.long.test.ts',
  'tests/payments/float-transfers.long.test.ts',
  'tests/payments/own-account-rotation.long.test.ts',
  'tests/payments/withdrawal-jobs.long.test.ts',
  'tests/payments/withdrawal-older-database.long.test.ts',
  'tests/races/two-processes.long.test.ts',
  'tests/simulation/attackers.long.test.ts',
  'tests/simulation/kills.long.test.ts',
  'tests/surface-b/escrow-init.long.test.ts',
  'tests/surface-b/escrow-release.long.test.ts',
  'tests/surface-b/login.long.test.ts',
];

const OWN_POSTGRES = 'it starts a PostgreSQL of its own to stop or kill it; the drills do that to nodes of a cluster';

/** Files of these folders that would prove nothing about a cluster, or ask something of one PostgreSQL. */
export const CLUSTER_EXCLUDED: Readonly<Record<string, string>> = {
  'tests/commit/one-marketplace.test.ts': 'it compares ids of transactions, which each node counts by itself',
  'tests/crash/kills-under-load.test.ts': OWN_POSTGRES,
  'tests/webhooks/due.test.ts': 'it counts the rows that the plans of one PostgreSQL look at',
};

const isLong = (file: string): boolean => file.endsWith('.long.test.ts');

const isOfFolders = (file: string): boolean => FOLDERS.some((folder) => file.startsWith(`tests/${folder}/`));

/** These files without those that are left out; says why. */
export const withoutExcluded = (files: readonly string[]): string[] => {
  for (const file of files.filter((each) => CLUSTER_EXCLUDED[each]))
    console.log(`Left out ${file}: ${CLUSTER_EXCLUDED[file]}.`);
  return files.filter((file) => CLUSTER_EXCLUDED[file] === undefined);
};

/** Tests that need several nodes. */
export const needsCluster = (file: string): boolean => file.startsWith('tests/cluster/');

/** The tests of a cluster among these files. */
export const clusterFiles = (files: readonly string[]): string[] =>
  withoutExcluded(files.filter((file) => isOfFolders(file) && (!isLong(file) || CLUSTER_LONG_FILES.includes(file))));
