// A form of one marketplace. The fields follow the server until they are edited, so that saving one field does not undo
// what another operator has set in the others.

import { useQueryClient } from '@tanstack/react-query';
import { fieldErrorsOf, isRefusal } from '../../api.ts';
import { useAction } from '../../parts/action.ts';

type Saving<Input, Result> = {
  readonly id: string;
  readonly save: (input: Input) => Promise<Result>;
  readonly done: (result: Result) => string;
  readonly failed: string;
  /** Called when the page has the new data. */
  readonly onSaved: () => void;
};

export const useSaving = <Input, Result>({ id, save, done, failed, onSaved }: Saving<Input, Result>) => {
  const queries = useQueryClient();
  return useAction({
    async run(input: Input) {
      const result = await save(input);
      await queries.invalidateQueries({ queryKey: ['marketplaces', id] });
      return result;
    },
    done: (result) => ({ title: done(result) }),
    failed,
    touches: [['marketplaces', 'list'], ['audit']],
    quiet: true,
    onDone: onSaved,
  });
};

/** The refusals by field. An outcome that is unknown is about no field. */
export const refusalsOf = (error: unknown, fields: readonly string[]): Readonly<Record<string, string>> =>
  isRefusal(error) && error.status !== null && error.status < 500 ? fieldErrorsOf(error, fields) : {};
