// What a key of one marketplace sees in place of the marketplaces.

import { Panel } from '../../parts/panel.tsx';
import { useSession } from '../../session.tsx';

export const MasterOnly = () => {
  const { me } = useSession();
  return (
    <Panel title="Your marketplace">
      <p>
        Current marketplace: <strong>{me.marketplaceId}</strong>. Your key has access to this marketplace only.
      </p>
      <p className="soft">Sign in with the master key to view and change marketplaces.</p>
    </Panel>
  );
};
