// The fields of an endpoint, in the form that creates one and in the form that changes it.

import type { CreateWebhookEndpointInput, WebhookEndpointRecord } from '@holdfast/sdk';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { EventField } from './event-field.tsx';

export type EndpointForm = {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly payload: WebhookEndpointRecord['payload'];
  readonly signature: WebhookEndpointRecord['signature'];
};

export const ENDPOINT_FIELDS = ['url', 'events', 'description', 'payload', 'signature'];

const PAYLOADS = [
  { value: 'full', name: 'Full: the event as on the stream' },
  { value: 'thin', name: 'Thin: IDs only' },
];
const SIGNATURES = [
  { value: 'v1', name: 'v1: HMAC-SHA256, a shared secret' },
  { value: 'v1a', name: 'v1a: ed25519, a public key' },
];

export const missingIn = ({ url, events }: EndpointForm): string | null => {
  if (url.trim() === '') return 'Enter an address first.';
  return events.length === 0 ? 'Choose at least one event.' : null;
};

export const inputOf = ({
  url,
  events,
  description,
  payload,
  signature,
}: EndpointForm): CreateWebhookEndpointInput => ({
  url: url.trim(),
  events: [...events],
  payload,
  signature,
  ...(description.trim() === '' ? {} : { description: description.trim() }),
});

type Props = {
  readonly form: EndpointForm;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<EndpointForm>) => void;
  /** The signature is chosen once, when the endpoint is created. */
  readonly isNew: boolean;
};

export const EndpointFields = ({ form, errors, onChange, isNew }: Props) => (
  <>
    <TextField
      label="Address"
      type="url"
      autoFocus
      value={form.url}
      placeholder="https://shop.example/webhooks/holdfast"
      hint="Gets each event as a POST request."
      error={errors.url}
      onChange={(event) => onChange({ url: event.target.value })}
    />
    <TextField
      label="Description"
      value={form.description}
      placeholder="Order service"
      hint="Optional: which system listens there."
      error={errors.description}
      onChange={(event) => onChange({ description: event.target.value })}
    />
    <EventField
      chosen={form.events}
      onChange={(events) => onChange({ events })}
      error={errors.events ?? (form.events.length === 0 ? 'Choose at least one.' : undefined)}
    />
    <div className="webhooks-two">
      <SelectField
        label="Payload"
        value={form.payload}
        options={PAYLOADS}
        error={errors.payload}
        onChange={(event) => onChange({ payload: event.target.value as EndpointForm['payload'] })}
      />
      {isNew ? (
        <SelectField
          label="Signature"
          value={form.signature}
          options={SIGNATURES}
          error={errors.signature}
          onChange={(event) => onChange({ signature: event.target.value as EndpointForm['signature'] })}
        />
      ) : null}
    </div>
  </>
);
