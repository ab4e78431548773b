// The settings and limits that matter to callers, as the service publishes them.

import type { GetConfigResult } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../parts/loaded.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { fieldWords } from '../../parts/status.tsx';
import { useClient } from '../../session.tsx';

export const SettingsPanel = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['config'],
    queryFn: () => client.service.config(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Panel title="Settings and limits">
      <Loaded query={query} name="Settings">
        {(config) => <Settings config={config} />}
      </Loaded>
    </Panel>
  );
};

const Settings = ({ config }: { readonly config: GetConfigResult }) => {
  const { amounts, rateLimit } = config;
  return (
    <div className="stack">
      <div className="columns">
        <Facts
          rows={[
            ['Version', `${config.version}, API ${config.apiVersion}`],
            ['Environment', config.sandbox ? 'Sandbox: no real money' : 'Live'],
            ['Currencies', config.currencies.join(', ')],
            ['Base currency', config.baseCurrency],
            ['Platform fee', `${config.platformFeePercent} % by default`],
          ]}
        />
        <Facts
          rows={[
            ['Order amount', <Range key="order" of={amounts.order} currency={config.baseCurrency} />],
            ['Top-up amount', <Range key="topup" of={amounts.topup} currency={config.baseCurrency} />],
            ['Withdrawal amount', <Range key="withdrawal" of={amounts.withdrawal} currency={config.baseCurrency} />],
            ['Rate limit', `${rateLimit.max.toLocaleString('en')} requests per ${rateLimit.windowSeconds} s`],
            ['Idempotency keys', `stored for ${config.idempotencyRetentionHours} hours`],
            ['Events', `stored for ${config.eventRetentionDays} days`],
          ]}
        />
      </div>
      <details className="health-limits">
        <summary>All published limits</summary>
        <Facts
          rows={Object.entries(config.limits).map(([name, limit]) => [fieldWords(name), limit.toLocaleString('en')])}
        />
      </details>
    </div>
  );
};

const Range = ({ of, currency }: { readonly of: { min: string; max: string }; readonly currency: string }) => (
  <>
    <Amount value={of.min} /> to <Amount value={of.max} currency={currency} />
  </>
);
