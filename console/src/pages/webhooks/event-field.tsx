// Check boxes for the events of an endpoint: all events, one box for each resource, and its types on request.

import { CheckField } from '../../parts/fields.tsx';
import { EVENT_GROUPS, type EventGroup, isChosen, toggled } from './event-choice.ts';

type Props = {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly error?: string | undefined;
};

export const EventField = ({ chosen, onChange, error }: Props) => (
  <fieldset className="stack-tight webhooks-events">
    <legend className="field-label">Events</legend>
    <CheckField
      label={
        <>
          <strong>All events</strong> <span className="soft">also those of future versions</span>
        </>
      }
      checked={isChosen(chosen, '*')}
      onChange={() => onChange(toggled(chosen, '*'))}
    />
    {EVENT_GROUPS.map((group) => (
      <Group key={group.prefix} group={group} chosen={chosen} onChange={onChange} />
    ))}
    {error ? (
      <span className="field-error" role="alert">
        {error}
      </span>
    ) : null}
  </fieldset>
);

const Group = ({
  group: { prefix, types },
  chosen,
  onChange,
}: Omit<Props, 'error'> & { readonly group: EventGroup }) => {
  const count = types.filter((type) => isChosen(chosen, type)).length;
  return (
    <div className="webhooks-group">
      <CheckField
        label={<code>{prefix}</code>}
        checked={isChosen(chosen, prefix)}
        onChange={() => onChange(toggled(chosen, prefix))}
      />
      <details>
        <summary>
          {count} of {types.length} types
          <span className="hidden-text"> of {prefix}</span>
        </summary>
        <div className="webhooks-types">
          {types.map((type) => (
            <CheckField
              key={type}
              label={<code>{type}</code>}
              checked={isChosen(chosen, type)}
              onChange={() => onChange(toggled(chosen, type))}
            />
          ))}
        </div>
      </details>
    </div>
  );
};

const SHOWN_MAX = 4;

/** The filters of an endpoint in a list. */
export const EventBadges = ({
  events,
  whole = false,
}: {
  readonly events: readonly string[];
  readonly whole?: boolean;
}) => {
  const shown = whole ? events : events.slice(0, SHOWN_MAX);
  return (
    <span className="webhooks-filters">
      {shown.map((filter) => (
        <code key={filter} className="webhooks-filter">
          {filter}
        </code>
      ))}
      {shown.length < events.length ? <span className="soft">and {events.length - shown.length} more</span> : null}
    </span>
  );
};
