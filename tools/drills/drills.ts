// Every drill, by name.

import { moveMarketplace } from './distributed/drill-move.ts';
import { killCoordinator, killWorker, silenceWorker } from './distributed/drill-nodes.ts';
import { backup } from './drill-backup.ts';
import { clockLeaps } from './drill-clock.ts';
import { connections } from './drill-connections.ts';
import { killPostgres, killServer } from './drill-crashes.ts';
import { diskFull } from './drill-disk.ts';
import { journal } from './drill-journal.ts';
import { olderDatabase } from './drill-older-database.ts';
import { outage } from './drill-outage.ts';
import { replica } from './drill-replica.ts';
import { restartPostgres } from './drill-restart.ts';
import { killSandbox } from './drill-sandbox.ts';
import { upgrade } from './drill-upgrade.ts';
import { walFull } from './drill-wal.ts';
import { failover } from './failover/drill-failover.ts';
import type { Drill } from './stage.ts';

export const DRILLS: readonly Drill[] = [
  backup,
  olderDatabase,
  killServer,
  killPostgres,
  killSandbox,
  restartPostgres,
  connections,
  diskFull,
  walFull,
  clockLeaps,
  outage,
  journal,
  replica,
  failover,
  upgrade,
  killWorker,
  silenceWorker,
  killCoordinator,
  moveMarketplace,
];
