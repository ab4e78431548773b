// Tabs. The chosen tab is in the URL, so that it can be linked to. Only the shown tab sends requests.

import '../styles/tabs.css';
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

export type Tab = { readonly id: string; readonly name: string; readonly body: () => ReactNode };

type Props = { readonly label: string; readonly tabs: readonly Tab[] };

const PARAMETER = 'tab';

export const Tabs = ({ label, tabs }: Props) => {
  const [search, setSearch] = useSearchParams();
  const shown = tabs.find(({ id }) => id === search.get(PARAMETER)) ?? tabs[0]!;
  const choose = (id: string): void => setSearch({ [PARAMETER]: id }, { replace: true });
  return (
    <Base.Root value={shown.id} onValueChange={(id) => choose(String(id))} className="stack">
      <Base.List className="tabs" aria-label={label} activateOnFocus>
        {tabs.map(({ id, name }) => (
          <Base.Tab key={id} value={id} className="tab">
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel key={shown.id} value={shown.id} className="tab-panel">
        {shown.body()}
      </Base.Panel>
    </Base.Root>
  );
};
