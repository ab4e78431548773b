// The list of keys. Each key has its actions, or the reason why they are disabled.

import type { ListApiKeysQuery, ListedApiKey, Me } from '@holdfast/sdk';
import { KEY_EXPORT } from '../../exports/service.ts';
import { Button } from '../../parts/button.tsx';
import { Id } from '../../parts/id.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { RangeFilter } from '../../parts/lists/range-filter.tsx';
import { CREATED, CREATED_NAMES, withMoments } from '../../parts/lists/ranges.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useSession } from '../../session.tsx';
import type { KeyVerb } from '../keys.tsx';
import { Scopes } from './scopes.tsx';

type Props = { readonly onDo: (verb: KeyVerb, key: ListedApiKey) => void };

const STATES = ['ACTIVE', 'EXPIRED', 'REVOKED'];
/** Keys and their use emit no events. */
const POLL_MS = 15_000;

export const KeyPanel = ({ onDo }: Props) => {
  const client = useClient();
  const { me } = useSession();
  const filters = useFilters(['status', ...CREATED_NAMES] as const);
  const query = withMoments(filters.values, CREATED) as ListApiKeysQuery;
  const paged = usePaged({
    queryKey: ['keys', 'list', query],
    everyMs: POLL_MS,
    list: (page) => client.keys.list({ ...query, ...page }),
  });
  return (
    <>
      <FilterBar filters={filters} list="keys">
        <ChoiceFilter filters={filters} name="status" label="Status" options={STATES} />
        <RangeFilter filters={filters} bounds={CREATED} label="Created" />
      </FilterBar>
      <Panel title="API keys" flush actions={<ExportButton label="Keys" paged={paged} exported={KEY_EXPORT} />}>
        <DataTable
          label="Keys"
          columns={[
            { name: 'Name', cell: (key) => <KeyName apiKey={key} me={me} /> },
            { name: 'Permissions', phone: 'under', cell: (key) => <Scopes scopes={key.scopes} /> },
            { name: 'Status', phone: 'value', cell: (key) => <Status value={key.status} /> },
            {
              name: 'Last used',
              phone: 'time',
              cell: (key) => (key.lastUsedAt ? <Time value={key.lastUsedAt} /> : <Never />),
            },
            { name: 'Expires', cell: (key) => <Ending apiKey={key} /> },
            { name: 'Created', cell: (key) => <Time value={key.createdAt} /> },
            { name: 'Actions', align: 'end', cell: (key) => <KeyActions apiKey={key} me={me} onDo={onDo} /> },
          ]}
          paged={paged}
          rowKey={(key) => key.id}
          empty={
            <Empty title={filters.isEmpty ? 'No keys yet' : 'No matching keys'}>
              {filters.isEmpty
                ? 'Create a key with the master key, and give it to the program that calls the API.'
                : 'Try another status or date range.'}
            </Empty>
          }
        />
      </Panel>
    </>
  );
};

const Never = () => <span className="soft">never</span>;

const KeyName = ({ apiKey, me }: { readonly apiKey: ListedApiKey; readonly me: Me }) => (
  <span className="keys-name">
    <span>
      <strong>{apiKey.name}</strong>
      {apiKey.id === me.apiKeyId ? <span className="keys-own">you</span> : null}
    </span>
    <Id value={apiKey.id} />
  </span>
);

const Ending = ({ apiKey }: { readonly apiKey: ListedApiKey }) => {
  if (apiKey.revokedAt) return <Time value={apiKey.revokedAt} />;
  return apiKey.expiresAt ? <Time value={apiKey.expiresAt} /> : <Never />;
};

type ActionsProps = Props & { readonly apiKey: ListedApiKey; readonly me: Me };

const KeyActions = ({ apiKey, me, onDo }: ActionsProps) => {
  return (
    <span className="keys-actions">
      {VERBS.map(({ verb, word, lead }) => (
        <Button
          key={verb}
          tone="plain"
          reason={whyNot(me, apiKey) ?? (verb === 'revoke' ? null : endedReason(apiKey))}
          aria-label={`${lead} ${apiKey.name}`}
          onClick={() => onDo(verb, apiKey)}
        >
          {word}
        </Button>
      ))}
    </span>
  );
};

const VERBS: readonly { readonly verb: KeyVerb; readonly word: string; readonly lead: string }[] = [
  { verb: 'token', word: 'Token', lead: 'Create token for' },
  { verb: 'rotate', word: 'Rotate', lead: 'Rotate' },
  { verb: 'revoke', word: 'Revoke', lead: 'Revoke' },
];

/** Null when the signed-in key may change this one. */
const whyNot = (me: Me, { id, status }: ListedApiKey): string | null => {
  if (status === 'REVOKED') return 'The key is revoked. Create another one.';
  if (me.type === 'token') return 'A token cannot manage keys. Sign in with the key itself, or with the master key.';
  if (me.type === 'master' || me.apiKeyId === id) return null;
  return 'Only the master key and the key itself can do this. Sign in with one of them.';
};

const endedReason = ({ status }: ListedApiKey): string | null =>
  status === 'EXPIRED' ? 'The key has expired. Create another one.' : null;
