// The filters of the event list. The server filters by resource, type and time; the page filters by text.

import { EVENT_TYPES, type Resource } from '@holdfast/sdk';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { ChoiceFilter, FilterBar, type Filters, TextFilter } from '../../parts/lists/filters.tsx';
import { plural } from '../../plural.ts';
import { useConfig } from '../../session.tsx';
import type { EventFilterNames } from '../events.tsx';
import { fromLocalField, toLocalField } from './event-text.ts';

type Props = { readonly filters: Filters<EventFilterNames> };

/** Every resource with the prefix of its events. */
const RESOURCES: Readonly<Record<Resource, string>> = {
  Order: 'order.',
  Escrow: 'escrow.',
  Dispute: 'dispute.',
  Balance: 'balance.',
  TopUp: 'topup.',
  Withdrawal: 'withdrawal.',
  User: 'user.',
  Wallet: 'wallet.',
  Approval: 'approval.',
  Correction: 'correction.',
  System: 'system.',
};
const RESOURCE_OPTIONS = Object.keys(RESOURCES).map((name) => ({ value: name, name }));

export const EventFilters = ({ filters }: Props) => {
  const [isOpen, setOpen] = useState(false);
  const boxId = useId();
  const count = filters.values.types?.split(',').length ?? 0;
  return (
    <div className="stack-tight events-filters">
      <FilterBar filters={filters} list="events">
        <TextFilter filters={filters} name="q" label="Contains" placeholder="ID, text or amount" />
        <ChoiceFilter filters={filters} name="resource" label="Resource" options={RESOURCE_OPTIONS} all="All" />
        <div className="field events-types-field">
          <span className="field-label">Types</span>
          <Button aria-expanded={isOpen} aria-controls={boxId} onClick={() => setOpen(!isOpen)}>
            {count === 0 ? 'All types' : `${count} of ${EVENT_TYPES.length} types`}
          </Button>
        </div>
        <ReplayChoice filters={filters} />
        <ReplayMoment filters={filters} />
      </FilterBar>
      <div id={boxId} hidden={!isOpen}>
        {isOpen ? <TypeBoxes filters={filters} /> : null}
      </div>
    </div>
  );
};

const TypeBoxes = ({ filters }: Props) => {
  const applied = filters.values.types ?? '';
  // A box shows its tick at once; the URL and the stream follow.
  const [ticked, setTicked] = useState(applied);
  useEffect(() => setTicked(applied), [applied]);
  const chosen = new Set(ticked.split(',').filter(Boolean));
  const { resource } = filters.values;
  const shown = Object.entries(RESOURCES).filter(([name]) => !resource || resource === name);
  const toggle = (type: string): void => {
    const next = new Set(chosen);
    if (!next.delete(type)) next.add(type);
    setTicked([...next].join());
    filters.set('types', [...next].join());
  };
  return (
    <div className="panel events-types">
      {shown.map(([name, beginning]) => (
        <fieldset key={name} className="events-type-group">
          <legend>{name}</legend>
          {EVENT_TYPES.filter((type) => type.startsWith(beginning)).map((type) => (
            <CheckField
              key={type}
              label={type.slice(beginning.length).replaceAll('_', ' ')}
              aria-label={type}
              checked={chosen.has(type)}
              onChange={() => toggle(type)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const QUICK = [
  { value: String(15 * MINUTE_MS), name: 'Last 15 minutes' },
  { value: String(HOUR_MS), name: 'Last hour' },
  { value: String(DAY_MS), name: 'Last 24 hours' },
  { value: String(7 * DAY_MS), name: 'Last 7 days' },
];

const NOW_ON = { value: '', name: 'Live only' };
const CHOSEN = { value: 'chosen', name: 'Custom time' };

/** The URL holds the time and not the name of the range, so a link shows the same events tomorrow. */
const ReplayChoice = ({ filters }: Props) => {
  const days = useConfig()?.eventRetentionDays;
  const all = days ? [{ value: String(days * DAY_MS), name: `All stored events (${plural(days, 'day')})` }] : [];
  const { since } = filters.values;
  return (
    <SelectField
      label="Replay"
      value={since ? CHOSEN.value : ''}
      options={[NOW_ON, ...(since ? [CHOSEN] : []), ...QUICK, ...all]}
      onChange={({ target: { value } }) => {
        if (value === CHOSEN.value) return;
        filters.set('since', value === '' ? '' : new Date(Date.now() - Number(value)).toISOString());
      }}
    />
  );
};

/** Applied on blur or Enter: each key press would start another replay. */
const ReplayMoment = ({ filters }: Props) => {
  const applied = toLocalField(filters.values.since);
  const [typed, setTyped] = useState(applied);
  useEffect(() => setTyped(applied), [applied]);
  const apply = (): void => {
    if (typed !== applied) filters.set('since', fromLocalField(typed));
  };
  return (
    <TextField
      type="datetime-local"
      label="Replay from"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
};
