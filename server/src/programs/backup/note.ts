// Notes in the database when a backup was taken, for the alert about a late backup.

import pg from 'pg';
import type { Config } from '../../config/config.ts';
import { recordBackup } from '../../modules/alerts/backup-times.ts';
import { openCommandDatabase } from '../../postgres/for-command.ts';

export const noteBackup = async (
  { database, data }: Pick<Config, 'database' | 'data'>,
  takenAt: string,
): Promise<void> => {
  const { connection, close } = await openCommandDatabase({ url: database.url, dataDir: data.dir });
  const client = new pg.Client({ ...(connection as pg.ClientConfig), application_name: 'holdfast-backup' });
  client.on('error', () => {});
  try {
    await client.connect();
    await recordBackup(client, takenAt);
  } finally {
    await client.end();
    await close();
  }
};
