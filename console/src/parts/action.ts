// An action of the user: it runs once, its result is shown as a message, and the queries it changes are refetched.

import { type CallOptions, HoldfastError } from '@holdfast/sdk';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { waitingFor } from '../api.ts';
import { noticeRefusal, watchSession } from '../queries.ts';
import { showErrorToast, showToast } from './toasts.tsx';

/** Repeats the idempotency key of the first try when its outcome is unknown. */
export type Once = Pick<CallOptions, 'idempotencyKey'>;

const WAITS = { title: 'Waits for approval', text: 'Nothing was done yet. The Approvals page shows the request.' };

type Options<Input, Result> = {
  /** `once` goes into the options of a call whose route accepts an Idempotency-Key. */
  readonly run: (input: Input, once: Once) => Promise<Result>;
  /** The message on success; null for none. */
  readonly done: (result: Result, input: Input) => { title: string; text?: string } | null;
  /** The title of the error message: `The order was not released`. */
  readonly failed: string;
  /** Query keys that are stale afterwards. Events mark only some of them stale. */
  readonly touches?: readonly QueryKey[];
  readonly onDone?: (result: Result) => void;
  /** True where the page shows the error itself. */
  readonly quiet?: boolean;
  /** True where the answer holds a secret: it must not be cached. */
  readonly forget?: boolean;
};

export const useAction = <Result, Input = void>(options: Options<Input, Result>) => {
  const queries = useQueryClient();
  const again = useAgain(options.failed);
  const isBusy = useRef(false);
  const mutation = useMutation<Result, Error, Input, () => boolean>({
    mutationFn: (input) => options.run(input, again.onceFor(input)),
    ...(options.forget ? { gcTime: 0 } : {}),
    // An answer that comes after the end of its session must not change the next one: sign it out, replace it or show it a message.
    onMutate: watchSession,
    onSuccess(result, input, isOver) {
      again.forget();
      if (isOver()) return;
      const message = options.done(result, input);
      if (message) showToast(message);
      options.onDone?.(result);
    },
    onError(error, input, isOver) {
      again.remember(error, input);
      if (isOver?.()) return;
      noticeRefusal(error);
      if (options.quiet) return;
      if (waitingFor(error) === null) showErrorToast(options.failed, error);
      else showToast(WAITS);
    },
    async onSettled(_, error) {
      const touched = [...(options.touches ?? []), ...(waitingFor(error) === null ? [] : [['approvals']])];
      await Promise.all(touched.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const { isPending, submittedAt, mutate } = mutation;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also for a call that begins and ends between two renderings
  useEffect(() => {
    if (!isPending) isBusy.current = false;
  }, [isPending, submittedAt]);
  return {
    ...mutation,
    /** A second click before the next rendering is ignored: it must not pay twice. */
    mutate(input: Input): void {
      if (isBusy.current) return;
      isBusy.current = true;
      mutate(input);
    },
  };
};

/** JSON cannot encode bigints. */
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

/** The idempotency key of a request with an unknown outcome, for a retry of the same request. */
const useAgain = (what: string) => {
  const unknown = useRef<{ readonly of: string; readonly key: string } | null>(null);
  // The same input on another page is another request.
  const printed = (input: unknown): string => JSON.stringify([window.location.pathname, what, input], asText);
  return {
    onceFor: (input: unknown): Once =>
      unknown.current?.of === printed(input) ? { idempotencyKey: unknown.current.key } : {},
    remember(error: Error, input: unknown): void {
      const key = error instanceof HoldfastError && error.outcomeUnknown ? error.idempotencyKey : null;
      unknown.current = key === null ? null : { of: printed(input), key };
    },
    forget(): void {
      unknown.current = null;
    },
  };
};
