// What the sandbox gives a simulator and what a simulator gives back.

import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Slice } from './state.ts';

export type SimulatorTools<Config> = {
  // Routes registered here are under the simulator's prefix.
  app: FastifyInstance;
  clock: Clock;
  faults: Faults;
  // The simulator's own tables.
  slice: Slice;
  // Needed only outside requests: every answer is preceded by one.
  flush: () => void;
  log: (sentence: string) => void;
  config: Config;
  // The simulator's own address, known once the server listens.
  url: () => string;
};

export type Simulator = {
  // Makes what must always exist and plans what the state says is due. Called at every start and after a reset.
  begin(): void;
  // Ends what is under way. Nothing of the simulator may run afterwards.
  close?(): void;
  // Its part of GET /control/state, in JSON.
  describe(): Record<string, unknown>;
};
