// A process with a temporary PostgreSQL, as a measurement is one. It prints the process id of PostgreSQL, and ends with an orderly stop when
// its standard input is closed.

import { text } from 'node:stream/consumers';
import { startTemporaryPostgres } from '../../server/src/postgres/embedded.ts';

const postgres = await startTemporaryPostgres();
process.stdout.write(`${postgres.pid}\n`);
await text(process.stdin);
await postgres.stop();
