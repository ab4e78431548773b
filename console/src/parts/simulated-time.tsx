// A time that follows the clock of the sandbox where there is one: what simulators and deadlines record. The clock can be moved forward, so
// such a time may be past for them and still to come for the server.

import { useQuery } from '@tanstack/react-query';
import { serverNow } from '../server-clock.ts';
import { useClient, useConfig } from '../session.tsx';
import { Time, useNow } from './time.tsx';

const POLL_MS = 15_000;

/** In milliseconds: the time of the simulators, else of the server. */
export const useSimulatedNow = (): number => {
  const client = useClient();
  const isSandbox = useConfig()?.sandbox === true;
  const now = useNow();
  const { data: aheadMs = 0 } = useQuery({
    queryKey: ['sandbox-time'],
    queryFn: async () => Date.parse((await client.sandbox.state()).time) - serverNow(),
    enabled: isSandbox,
    refetchInterval: POLL_MS,
  });
  return now + aheadMs;
};

type Props = { readonly value: string | null | undefined; readonly exact?: boolean };

export const SimulatedTime = (props: Props) => <Time {...props} now={useSimulatedNow()} />;
