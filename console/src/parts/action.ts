// Something the operator does: carried out once, told about in either case, and what it changed is asked for again.

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { say, sayTrouble } from './toasts.tsx';

type Options<Input, Result> = {
  readonly run: (input: Input) => Promise<Result>;
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
  return useMutation<Result, Error, Input>({
    mutationFn: options.run,
    ...(options.forget ? { gcTime: 0 } : {}),
    onSuccess(result, input) {
      const said = options.done(result, input);
      if (said) say(said);
      options.onDone?.(result);
    },
    onError(error) {
      if (!options.quiet) sayTrouble(options.failed, error);
    },
    async onSettled() {
      await Promise.all((options.touches ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
};
