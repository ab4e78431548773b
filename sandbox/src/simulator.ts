// The interface between the sandbox and a simulator.

import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Slice } from './state.ts';

export type SimulatorTools<Config> = {
  // Routes registered here are under the simulator's prefix.
  app: FastifyInstance;
  clock: Clock;
  faults: Faults;
  // The tables of the simulator.
  slice: Slice;
  // Needed only outside requests: the state is always written before an answer.
  flush: () => void;
  log: (sentence: string) => void;
  config: Config;
  // The address of the simulator, known once the server listens.
  url: () => string;
};

export type Simulator = {
  // Creates what must always exist and plans what the state says is due. Called at every start and after a reset.
  begin(): void;
  // Ends running work. Nothing of the simulator may run afterwards.
  close?(): void;
  // The simulator's part of GET /control/state, in JSON.
  describe(): Record<string, unknown>;
};
