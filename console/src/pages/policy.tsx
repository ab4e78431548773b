// One version of a policy: the picture of its deadlines, its fee, who may do what, and the other versions.

import '../styles/policies.css';
import type { Policy } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { isolateBidi } from '../parts/bidi.ts';
import { Button } from '../parts/button.tsx';
import { Id } from '../parts/id.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { useClient, useDenial } from '../session.tsx';
import { CreatePolicy } from './policies/create-policy.tsx';
import { RulesFacts } from './policies/rules-facts.tsx';
import { RulesPicture } from './policies/rules-picture.tsx';

const PARENT = { name: 'Policies', to: '/policies' };

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({ queryKey: ['policies', id], queryFn: () => client.policies.get(id) });
  const policy = query.data;
  return (
    <>
      <PageHeader
        title={policy ? `${isolateBidi(policy.name)}, version ${policy.version}` : 'Policy'}
        parent={PARENT}
        text={<Id value={id} link={false} whole />}
        actions={policy ? <NextVersion policy={policy} /> : null}
      />
      <Loaded query={query} name="Policy">
        {(loaded) => <PolicyBody policy={loaded} />}
      </Loaded>
    </>
  );
};

type Props = { readonly policy: Policy };

const NextVersion = ({ policy }: Props) => {
  const writeDenial = useDenial('write');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button tone="accent" reason={writeDenial} onClick={() => setOpen(true)}>
        Create next version
      </Button>
      {isOpen ? <CreatePolicy earlier={policy} onClose={() => setOpen(false)} /> : null}
    </>
  );
};

const PolicyBody = ({ policy }: Props) => (
  <>
    <Panel title="What happens by itself">
      <RulesPicture rules={policy.rules} />
    </Panel>
    <div className="policy-record">
      <Panel title="Fee and permissions">
        <RulesFacts rules={policy.rules} />
      </Panel>
      <Versions policy={policy} />
    </div>
    <Panel title="Rules as JSON">
      <pre className="policy-json">{JSON.stringify(policy.rules, null, 2)}</pre>
    </Panel>
  </>
);

const Versions = ({ policy: { id, name } }: Props) => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['policies', 'versions', name],
    queryFn: async () => (await client.policies.list({ name }).page()).items,
  });
  return (
    <Panel title="Versions">
      <Loaded query={query} name="Versions">
        {(versions) => (
          <ul className="policy-versions">
            {versions.map((each) => (
              <li key={each.id}>
                {each.id === id ? (
                  <strong>Version {each.version}</strong>
                ) : (
                  <Link to={`/policies/${each.id}`}>Version {each.version}</Link>
                )}
                <Time value={each.createdAt} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
};
