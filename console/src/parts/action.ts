// Something the operator does: carried out once, told about in either case, and what it changed is asked for again.

import { type CallOptions, HoldfastError } from '@holdfast/sdk';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { say, sayTrouble } from './toasts.tsx';

/** Makes a second try the same request as the first, where nobody knows what became of that. */
export type Once = Pick<CallOptions, 'idempotencyKey'>;

type Options<Input, Result> = {
  /** `once` goes into the call's options wherever its route takes an Idempotency-Key. */
  readonly run: (input: Input, once: Once) => Promise<Result>;
  /** What to say when it is done; null for nothing. */
  readonly done: (result: Result, input: Input) => { title: string; text?: string } | null;
  /** The title of what is said when it is refused: `The order was not released`. */
  readonly failed: string;
  /** Query keys that are stale afterwards. Events do this too, but only for what they tell of. */
  readonly touches?: readonly QueryKey[];
  readonly onDone?: (result: Result) => void;
  /** True where the page shows a refusal itself, beside the fields. */
  readonly quiet?: boolean;
  /** True where the answer holds a secret: nothing may keep it. */
  readonly forget?: boolean;
};

export const useAction = <Result, Input = void>(options: Options<Input, Result>) => {
  const queries = useQueryClient();
  const again = useAgain(options.failed);
  const isBusy = useRef(false);
  const mutation = useMutation<Result, Error, Input>({
    mutationFn: (input) => options.run(input, again.onceFor(input)),
    ...(options.forget ? { gcTime: 0 } : {}),
    onSuccess(result, input) {
      again.forget();
      const said = options.done(result, input);
      if (said) say(said);
      options.onDone?.(result);
    },
    onError(error, input) {
      again.remember(error, input);
      if (!options.quiet) sayTrouble(options.failed, error);
    },
    async onSettled() {
      await Promise.all((options.touches ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const { isPending, submittedAt, mutate } = mutation;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when one has begun and ended between two renderings
  useEffect(() => {
    if (!isPending) isBusy.current = false;
  }, [isPending, submittedAt]);
  return {
    ...mutation,
    /** A second click comes before the page shows that the first one counted; it must not pay again. */
    mutate(input: Input): void {
      if (isBusy.current) return;
      isBusy.current = true;
      mutate(input);
    },
  };
};

/** Amounts are bigints, which JSON refuses. */
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

/** The key of a request whose outcome is not known, for the same request asked for again. */
const useAgain = (what: string) => {
  const doubt = useRef<{ readonly of: string; readonly key: string } | null>(null);
  // The same words about somebody else, on another page, are another request.
  const printed = (input: unknown): string => JSON.stringify([window.location.pathname, what, input], asText);
  return {
    onceFor: (input: unknown): Once =>
      doubt.current?.of === printed(input) ? { idempotencyKey: doubt.current.key } : {},
    remember(error: Error, input: unknown): void {
      const key = error instanceof HoldfastError && error.outcomeUnknown ? error.idempotencyKey : null;
      doubt.current = key === null ? null : { of: printed(input), key };
    },
    forget(): void {
      doubt.current = null;
    },
  };
};
