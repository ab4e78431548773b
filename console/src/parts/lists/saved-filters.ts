// The filters that a person has saved, per list and marketplace, in the storage of the browser. One of a list can be its default. What
// is stored is checked when it is read: another version of the console, or a person, may have written it.

export type SavedFilter = {
  readonly name: string;
  /** As in the URL: `status=DISPUTED&range=today`. */
  readonly search: string;
  readonly isDefault: boolean;
};

export const SAVED_MAX = 20;
export const NAME_MAX = 60;
const SEARCH_MAX = 2_000;

type Place = { readonly marketplaceId: string; readonly list: string };

const keyOf = ({ marketplaceId, list }: Place): string => `holdfast.filters.${marketplaceId}.${list}`;

const isSaved = (value: unknown): value is SavedFilter => {
  const { name, search, isDefault } = (value ?? {}) as Partial<Record<keyof SavedFilter, unknown>>;
  return (
    typeof name === 'string' &&
    name.length > 0 &&
    name.length <= NAME_MAX &&
    typeof search === 'string' &&
    search.length <= SEARCH_MAX &&
    typeof isDefault === 'boolean'
  );
};

/** Throws nothing: a storage that is blocked or damaged is empty. */
export const parseSaved = (text: string | null): readonly SavedFilter[] => {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSaved).slice(0, SAVED_MAX) : [];
  } catch {
    return [];
  }
};

export const readSaved = (place: Place): readonly SavedFilter[] => {
  try {
    return parseSaved(localStorage.getItem(keyOf(place)));
  } catch {
    return [];
  }
};

/** False where the browser does not store it. */
export const writeSaved = (place: Place, saved: readonly SavedFilter[]): boolean => {
  try {
    if (saved.length === 0) localStorage.removeItem(keyOf(place));
    else localStorage.setItem(keyOf(place), JSON.stringify(saved));
    return true;
  } catch {
    return false;
  }
};

/** Why a name cannot be saved; null when it can. */
export const nameProblem = (name: string, saved: readonly SavedFilter[]): string | null => {
  if (name === '') return 'Enter a name.';
  if (name.length > NAME_MAX) return `A name has at most ${NAME_MAX} characters.`;
  const isNew = saved.every((one) => one.name !== name);
  return isNew && saved.length >= SAVED_MAX ? `A list has at most ${SAVED_MAX} saved filters. Delete one first.` : null;
};

/** The same name again replaces the filter. */
export const withSaved = (
  saved: readonly SavedFilter[],
  { name, search }: Pick<SavedFilter, 'name' | 'search'>,
): readonly SavedFilter[] => {
  const isDefault = saved.some((one) => one.name === name && one.isDefault);
  return [...saved.filter((one) => one.name !== name), { name, search, isDefault }].sort((one, other) =>
    one.name.localeCompare(other.name),
  );
};

/** A list has one default; the same again is none. */
export const withDefault = (saved: readonly SavedFilter[], name: string): readonly SavedFilter[] =>
  saved.map((one) => ({ ...one, isDefault: one.name === name && !one.isDefault }));

/** Filters as text, in an order of their own, so that two texts of the same filters are equal. */
export const searchOf = (values: Readonly<Partial<Record<string, string>>>): string =>
  new URLSearchParams(
    Object.entries(values)
      .filter((entry): entry is [string, string] => Boolean(entry[1]))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ).toString();
