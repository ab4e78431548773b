// Every drill, by name.

import { backup } from './drill-backup.ts';
import { connections } from './drill-connections.ts';
import { killPostgres, killServer } from './drill-crashes.ts';
import { diskFull } from './drill-disk.ts';
import { outage } from './drill-outage.ts';
import { replica } from './drill-replica.ts';
import { restartPostgres } from './drill-restart.ts';
import type { Drill } from './stage.ts';

export const DRILLS: readonly Drill[] = [
  backup,
  killServer,
  killPostgres,
  restartPostgres,
  connections,
  diskFull,
  outage,
  replica,
];
