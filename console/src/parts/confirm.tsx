// Asks before money moves: what will be done, and every figure it changes. Nothing is done by closing it.

import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Amount } from './amount.tsx';
import { placesOf, type Units } from './amounts.ts';
import { Button } from './button.tsx';
import { Trouble, troubleTitle } from './notice.tsx';

/** One line of what will happen: a balance before and after, or an amount alone. */
export type Effect = {
  readonly name: string;
  readonly currency: string;
  readonly before?: Units;
  readonly after?: Units;
  readonly change?: Units;
  /** As many as it takes to see all three, unless told. */
  readonly places?: number;
};

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, in a sentence or two. */
  readonly children: ReactNode;
  readonly effects?: readonly Effect[];
  /** The word on the button, a verb: `Release 120.00 USD`. */
  readonly confirm: string;
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
        {props.error ? <Trouble title={troubleTitle('This was not done', props.error)} error={props.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={props.onClose} reason={props.isBusy ? 'It is being carried out.' : null}>
            Leave it
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

/** Also on its own, beside a form that is being filled in. */
export const Effects = ({ effects }: { readonly effects: readonly Effect[] }) => {
  const hasBefore = effects.some((effect) => effect.before !== undefined);
  const rows = effects.map((effect) => ({ ...effect, places: effect.places ?? placesIn(effect) }));
  return (
    <table className="effects" data-exact={rows.some(({ places }) => places > 2) || undefined}>
      <caption className="hidden-text">What will happen, in figures</caption>
      <thead>
        <tr>
          <th scope="col">Balance</th>
          {hasBefore ? <th scope="col">Now</th> : null}
          <th scope="col">Change</th>
          {hasBefore ? <th scope="col">Then</th> : null}
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
              <td data-label="Then">
                <Amount value={after} currency={currency} places={places} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Truncated to cents, what is before and what comes to it would not add up to what is after. */
const placesIn = ({ before, change, after }: Effect): number =>
  placesOf(...[before, change, after].filter((amount) => amount !== undefined));
