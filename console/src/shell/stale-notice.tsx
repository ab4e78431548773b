// Warns when a part of the page could not be refreshed and may be out of date.

import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { errorMessage } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';

type Failing = { readonly queryKey: readonly unknown[]; readonly state: { status: string; data: unknown } };

/** A query without data shows its own error, and the health page is itself about failures. */
const isBehind = ({ queryKey, state }: Failing): boolean =>
  state.status === 'error' && state.data !== undefined && queryKey[0] !== 'health';

export const StaleNotice = () => {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const error = useSyncExternalStore(
    useCallback((changed) => cache.subscribe(notifyManager.batchCalls(changed)), [cache]),
    () => cache.findAll({ type: 'active', predicate: isBehind })[0]?.state.error ?? null,
  );
  if (!error) return null;
  return (
    <Notice title="A part of this page could not be refreshed" tone="warn">
      <p>{errorMessage(error)} The page may be out of date.</p>
      <div className="row">
        <Button icon="refresh" onClick={() => void queries.refetchQueries({ type: 'active', predicate: isBehind })}>
          Try again
        </Button>
      </div>
    </Notice>
  );
};
