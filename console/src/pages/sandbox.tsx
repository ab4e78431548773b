// The sandbox page: controls the simulators of the payment provider, the escrow provider and the ledger.

import '../styles/sandbox.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { Loaded } from '../parts/loaded.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useClient, useConfig, useDenial } from '../session.tsx';
import { ClockPanel } from './sandbox/clock.tsx';
import { EscrowEventPanel } from './sandbox/escrow-event.tsx';
import { FaucetPanel } from './sandbox/faucet.tsx';
import { FaultsPanel } from './sandbox/faults.tsx';
import { PayinsPanel, PayoutsPanel } from './sandbox/payments.tsx';
import { WebhooksPanel } from './sandbox/webhooks.tsx';

/** A triggered fault emits no event. */
const POLL_MS = 4_000;

export const Component = () => {
  const config = useConfig();
  const supportDenial = useDenial('support');
  return (
    <>
      <PageHeader
        title="Sandbox"
        text="Control the simulators of the payment provider, the escrow provider and the ledger. No real money moves."
      />
      {config?.sandbox === false ? (
        <Empty title="The sandbox is disabled">
          This server uses real providers. Start a server without provider URLs to use the simulators.
        </Empty>
      ) : supportDenial ? (
        <Notice title="This key cannot use the sandbox" tone="warn">
          <p>{supportDenial}</p>
        </Notice>
      ) : (
        <SandboxBody />
      )}
    </>
  );
};

const SandboxBody = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['sandbox', 'state'],
    queryFn: () => client.sandbox.state(),
    refetchInterval: POLL_MS,
  });
  useShownPart(query.isSuccess);
  return (
    <Loaded query={query} name="Sandbox">
      {(state) => (
        <>
          <div id="payments" className="sandbox-pair">
            <PayinsPanel payins={state.payins} />
            <PayoutsPanel payouts={state.payouts} />
          </div>
          <FaultsPanel armed={state.faults} />
          <div className="sandbox-pair">
            <FaucetPanel state={state} />
            <div className="stack">
              <ClockPanel time={state.time} />
              <EscrowEventPanel contracts={state.contracts} />
            </div>
          </div>
          <WebhooksPanel webhooks={state.webhooks} />
        </>
      )}
    </Loaded>
  );
};

/** Scrolls to the section of the URL, such as `/sandbox#faucet`, after the page has loaded. */
const useShownPart = (isThere: boolean): void => {
  const { hash } = useLocation();
  useEffect(() => {
    if (isThere && hash) document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' });
  }, [isThere, hash]);
};
