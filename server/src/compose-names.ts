// The names of actors, read from the tables of operators and of API keys.

import type pg from 'pg';
import { createApiKeyReads } from './modules/api-keys/queries.ts';
import { type ActorNames, createActorNames } from './modules/audit/actor-names.ts';
import { createOperatorReads } from './modules/operators/queries.ts';

export const actorNamesFrom = (pool: pg.Pool): ActorNames =>
  createActorNames({ operators: createOperatorReads(pool).names, apiKeys: createApiKeyReads(pool).names });
