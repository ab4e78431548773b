// The confirmation before money moves: the action, and its effect on every balance. Closing it does nothing.

import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { ErrorNotice, errorTitle } from '../notice.tsx';
import { Amount } from './amount.tsx';
import { placesOf, type Units } from './amounts.ts';

/** One effect: a balance before and after, or only an amount. */
export type Effect = {
  readonly name: string;
  readonly currency: string;
  readonly before?: Units;
  readonly after?: Units;
  readonly change?: Units;
  /** By default as many decimals as the three amounts need. */
  readonly places?: number;
};

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The action in a sentence or two. */
  readonly children: ReactNode;
  readonly effects?: readonly Effect[];
  /** The label of the button, a verb: `Release 120.00 USD`. */
  readonly confirm: string;
  /** The label of the button that closes the dialog, where `Cancel` would be ambiguous. */ readonly dismiss?: string;
  readonly tone?: 'accent' | 'bad';
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
  readonly reason?: string | null;
  readonly error?: unknown;
};

export const Confirm = (props: Props) => (
  <AlertDialog.Root open={props.isOpen} onOpenChange={(open) => open || props.isBusy || props.onClose()}>
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className="dialog-shade" />
      <AlertDialog.Popup className="dialog">
        <AlertDialog.Title>{props.title}</AlertDialog.Title>
        <AlertDialog.Description render={<div className="stack-tight" />}>{props.children}</AlertDialog.Description>
        {props.effects?.length ? <Effects effects={props.effects} /> : null}
        {props.error ? <ErrorNotice title={errorTitle('The action failed', props.error)} error={props.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={props.onClose} reason={props.isBusy ? 'The action is in progress.' : null}>
            {props.dismiss ?? 'Cancel'}
          </Button>
          <Button
            tone={props.tone ?? 'accent'}
            isBusy={props.isBusy ?? false}
            reason={props.reason}
            onClick={props.onConfirm}
          >
            {props.confirm}
          </Button>
        </div>
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  </AlertDialog.Root>
);

/** Also used beside a form. */
export const Effects = ({ effects }: { readonly effects: readonly Effect[] }) => {
  const hasBefore = effects.some((effect) => effect.before !== undefined);
  const rows = effects.map((effect) => ({ ...effect, places: effect.places ?? placesIn(effect) }));
  return (
    <table className="effects" data-exact={rows.some(({ places }) => places > 2) || undefined}>
      <caption className="hidden-text">Effects</caption>
      <thead>
        <tr>
          <th scope="col">Balance</th>
          {hasBefore ? <th scope="col">Now</th> : null}
          <th scope="col">Change</th>
          {hasBefore ? <th scope="col">After</th> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, currency, before, after, change, places }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {hasBefore ? (
              <td data-label="Now">
                <Amount value={before} places={places} />
              </td>
            ) : null}
            <td data-label="Change">
              <Amount value={change} places={places} signed {...(hasBefore ? {} : { currency })} />
            </td>
            {hasBefore ? (
              <td data-label="After">
                <Amount value={after} currency={currency} places={places} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** In whole cents, before and change might not add up to after. */
const placesIn = ({ before, change, after }: Effect): number =>
  placesOf(...[before, change, after].filter((amount) => amount !== undefined));
