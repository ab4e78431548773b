// What is followed and from when: the server filters by resource and type, the page by words.

import { EVENT_TYPES, type Resource } from '@holdfast/sdk';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { ChoiceFilter, FilterBar, type Filters, TextFilter } from '../../parts/filters.tsx';
import { useConfig } from '../../shell/config.ts';
import type { EventFilterNames } from '../events.tsx';
import { fromLocalField, toLocalField } from './event-words.ts';

type Props = { readonly filters: Filters<EventFilterNames> };

/** Every resource, and how its events begin. */
const RESOURCES: Readonly<Record<Resource, string>> = {
  Order: 'order.',
  Escrow: 'escrow.',
  Dispute: 'dispute.',
  Balance: 'balance.',
  TopUp: 'topup.',
  Withdrawal: 'withdrawal.',
  User: 'user.',
};
const RESOURCE_OPTIONS = Object.keys(RESOURCES).map((name) => ({ value: name, name }));

export const EventFilters = ({ filters }: Props) => {
  const [isOpen, setOpen] = useState(false);
  const boxId = useId();
  const count = filters.values.types?.split(',').length ?? 0;
  return (
    <div className="stack-tight events-filters">
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="q" label="Containing" placeholder="An id, a word, an amount" />
        <ChoiceFilter filters={filters} name="resource" label="About" options={RESOURCE_OPTIONS} all="Everything" />
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
  // A box shows its tick at once; the address and the stream follow.
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
  { value: String(15 * MINUTE_MS), name: 'The last 15 minutes' },
  { value: String(HOUR_MS), name: 'The last hour' },
  { value: String(DAY_MS), name: 'The last 24 hours' },
  { value: String(7 * DAY_MS), name: 'The last 7 days' },
];

const NOW_ON = { value: '', name: 'From now on' };
const CHOSEN = { value: 'chosen', name: 'A chosen time' };

/** The address keeps the moment and not the words, so that a link shows the same tomorrow. */
const ReplayChoice = ({ filters }: Props) => {
  const days = useConfig()?.eventRetentionDays;
  const all = days ? [{ value: String(days * DAY_MS), name: `All that is kept (${days} days)` }] : [];
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

/** Applied when it is left or confirmed: every key on the way would start another replay. */
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
