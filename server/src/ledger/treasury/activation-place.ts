// The limit of activations on one day for all marketplaces together. A wallet takes a place before its activation is queued. The places are
// rows of the default marketplace, so one order of commits decides for all processes. A wallet takes one place a day, so a repetition
// after a crash takes no second one.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { type Context, command, type Needs, runCommand, type Submit, type UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

type ActivationPlace = {
  /** The wallet, of any marketplace. */
  readonly id: string;
  /** The day in UTC. Null: the place was given back. */
  readonly day: string | null;
};

type ActivationTotal = {
  /** The day in UTC. */
  readonly id: string;
  readonly places: number;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    activationPlaces: ActivationPlace;
    activationTotals: ActivationTotal;
  }
  interface Lookups {
    activationPlaces: Record<never, string>;
    activationTotals: Record<never, string>;
  }
}

export const ACTIVATION_PLACES = table('activationPlaces', {
  notFound: 'INTERNAL_ERROR',
  sql: 'activation_places',
  columns: ['id', 'day'],
  lookups: {},
});

export const ACTIVATION_TOTALS = table('activationTotals', {
  notFound: 'INTERNAL_ERROR',
  sql: 'activation_totals',
  columns: ['id', 'places'],
  lookups: {},
});

type Place = { readonly walletId: string; readonly day: string };

const needsOf = ({ walletId, day }: Place): Needs => ({
  rows: [
    { table: 'activationPlaces', id: walletId },
    { table: 'activationTotals', id: day },
  ],
});

type Change = { readonly place: ActivationPlace; readonly total: ActivationTotal };

const put = (work: UnitOfWork, { place, total }: Change): void => {
  work.put('activationPlaces', place);
  work.put('activationTotals', total);
  work.audit({
    action: 'WALLET_ACTIVATION_COUNTED',
    resourceType: 'Wallet',
    resourceId: place.id,
    after: { isCounted: place.day !== null, day: total.id, activations: total.places },
  });
};

/** False: all places of the day are taken. */
const takePlace = command<Place & { readonly max: number }, boolean>({
  name: 'take-activation-place',
  needs: needsOf,
  decide({ walletId, day, max }, work) {
    if (work.find('activationPlaces', walletId)?.day === day) return true;
    const places = work.find('activationTotals', day)?.places ?? 0;
    if (places >= max) return false;
    put(work, { place: { id: walletId, day }, total: { id: day, places: places + 1 } });
    return true;
  },
});

const giveBackPlace = command<Place, void>({
  name: 'give-back-activation-place',
  needs: needsOf,
  decide({ walletId, day }, work) {
    if (work.find('activationPlaces', walletId)?.day !== day) return;
    const { places } = work.get('activationTotals', day);
    put(work, { place: { id: walletId, day: null }, total: { id: day, places: places - 1 } });
  },
});

const contextOf = ({ walletId }: Place): Context => ({
  marketplaceId: DEFAULT_MARKETPLACE,
  actor: { type: 'system', id: 'activation' },
  requestId: `activation-${walletId}`,
});

export const activationPlaces = (submit: Submit) => ({
  /** False: all places of the day are taken, and nothing was counted. */
  take: (input: Place & { readonly max: number }): Promise<boolean> =>
    runCommand(submit, { command: takePlace, input, context: contextOf(input) }),

  /** The wallet's own marketplace has reached its limit: another marketplace may use the place. */
  giveBack: (input: Place): Promise<void> =>
    runCommand(submit, { command: giveBackPlace, input, context: contextOf(input) }),
});
