// The dialogs that create an endpoint and change it. They keep the form open while the server refuses it.

import type { WebhookEndpointRecord } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import type { Secret } from '../../parts/secret/secret-dialog.tsx';
import { useClient } from '../../session.tsx';
import { ENDPOINT_FIELDS, EndpointFields, type EndpointForm, inputOf, missingIn } from './endpoint-fields.tsx';
import { SecretText } from './secret-text.tsx';

const EMPTY: EndpointForm = { url: '', events: ['*'], description: '', payload: 'full', signature: 'v1' };

type CreateProps = { readonly onClose: () => void; readonly onSecret: (secret: Secret) => void };

export const CreateEndpoint = ({ onClose, onSecret }: CreateProps) => {
  const client = useClient();
  const act = useAction({
    run: (form: EndpointForm, once) => client.webhookEndpoints.create(inputOf(form), once),
    done: () => null,
    failed: 'The endpoint was not created',
    touches: [['webhooks'], ['audit']],
    quiet: true,
    forget: true,
    onDone: ({ url, secret, signature }) =>
      onSecret({
        title: 'Endpoint created',
        secret,
        what: signature === 'v1' ? 'Secret' : 'Public key',
        isPublic: signature === 'v1a',
        text: <SecretText url={url} signature={signature} />,
      }),
  });
  return <FormDialog title="Create endpoint" verb="Create endpoint" first={EMPTY} isNew act={act} onClose={onClose} />;
};

type ChangeProps = { readonly endpoint: WebhookEndpointRecord; readonly onClose: () => void };

export const ChangeEndpoint = ({ endpoint, onClose }: ChangeProps) => {
  const client = useClient();
  const { url, events, description, payload, signature } = endpoint;
  const act = useAction({
    run: (form: EndpointForm, once) => {
      const { signature: _, ...changes } = inputOf(form);
      return client.webhookEndpoints.update(endpoint.id, { description: null, ...changes }, once);
    },
    done: () => ({ title: 'Endpoint changed', text: 'The next deliveries use it.' }),
    failed: 'The endpoint was not changed',
    touches: [['webhooks'], ['audit']],
    quiet: true,
    onDone: onClose,
  });
  const first = { url, events, description: description ?? '', payload, signature };
  return (
    <FormDialog title="Change endpoint" verb="Save changes" first={first} isNew={false} act={act} onClose={onClose} />
  );
};

type FormProps = {
  readonly title: string;
  readonly verb: string;
  readonly first: EndpointForm;
  readonly isNew: boolean;
  readonly act: {
    readonly isPending: boolean;
    readonly error: Error | null;
    mutate(form: EndpointForm): void;
  };
  readonly onClose: () => void;
};

const FormDialog = ({ title, verb, first, isNew, act, onClose }: FormProps) => {
  const [form, setForm] = useState(first);
  const errors = fieldErrorsOf(act.error, ENDPOINT_FIELDS);
  const failed = isNew ? 'The endpoint was not created' : 'The endpoint was not changed';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending && missingIn(form) === null) act.mutate(form);
  };
  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title={title}>
      <form className="stack" noValidate onSubmit={submit}>
        <EndpointFields form={form} errors={errors} isNew={isNew} onChange={(part) => setForm({ ...form, ...part })} />
        {act.error && (errors[''] || Object.keys(errors).length === 0) ? (
          <ErrorNotice title={failed} error={act.error} />
        ) : null}
        {act.error && !errors[''] && Object.keys(errors).length > 0 ? (
          <p className="field-error">{failed}: see the fields above.</p>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'The request is being sent.' : null}>
            Cancel
          </Button>
          <Button type="submit" tone="accent" isBusy={act.isPending} reason={missingIn(form)}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
