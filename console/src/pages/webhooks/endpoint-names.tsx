// How an endpoint is named: its description, or its address without the scheme.

import type { WebhookEndpointRecord } from '@holdfast/sdk';
import { Link } from 'react-router';
import { isolateBidi } from '../../parts/bidi.ts';
import { Id } from '../../parts/id.tsx';
import { useEndpoints } from './endpoint-queries.ts';

type Named = Pick<WebhookEndpointRecord, 'url' | 'description'>;

const addressOf = (url: string): string => url.replace(/^https?:\/\//, '');

export const endpointName = ({ url, description }: Named): string => description?.trim() || addressOf(url);

/** A link to the endpoint; its ID when it was deleted or is not loaded. */
export const EndpointName = ({ id }: { readonly id: string }) => {
  const found = useEndpoints().data?.find((endpoint) => endpoint.id === id);
  if (!found) return <Id value={id} />;
  return (
    <Link to={`/webhooks/${id}`} className="webhooks-name" title={found.url}>
      {isolateBidi(endpointName(found))}
    </Link>
  );
};

/** The endpoints as options of a filter. */
export const useEndpointOptions = () =>
  (useEndpoints().data ?? []).map((endpoint) => ({ value: endpoint.id, name: isolateBidi(endpointName(endpoint)) }));
