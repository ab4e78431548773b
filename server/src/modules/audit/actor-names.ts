// The names of the operators and API keys that acted, for the audit trail and for timelines.

export type Names = ReadonlyMap<string, string>;

type ReadNames = (marketplaceId: string, ids: readonly string[]) => Promise<Names>;

type Actor = { readonly actorType: string; readonly actorId: string };

/** The name of each actor that has one, by id. */
export type ActorNames = (marketplaceId: string, actors: readonly Actor[]) => Promise<Names>;

const idsOf = (actors: readonly Actor[], type: string): readonly string[] => [
  ...new Set(actors.filter(({ actorType }) => actorType === type).map(({ actorId }) => actorId)),
];

export const createActorNames =
  ({ operators, apiKeys }: { readonly operators: ReadNames; readonly apiKeys: ReadNames }): ActorNames =>
  async (marketplaceId, actors) => {
    const ofOperators = await operators(marketplaceId, idsOf(actors, 'operator'));
    const ofKeys = await apiKeys(marketplaceId, idsOf(actors, 'api_key'));
    return new Map([...ofOperators, ...ofKeys]);
  };
