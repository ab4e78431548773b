// Published maxima. The schemas take them from here and `GET /config` shows them.

export const LIMITS = {
  bodyBytes: 256 * 1024,
  pageSizeDefault: 20,
  pageSizeMax: 100,
  nameLength: 120,
  referenceLength: 200,
  descriptionLength: 2_000,
  reasonLength: 500,
  emailLength: 254,
  externalIdLength: 200,
  requestIdLength: 200,
  metadataKeys: 50,
  metadataKeyLength: 64,
  metadataBytes: 8 * 1024,
  amountLength: 64,
  streamFilters: 50,
  titleLength: 200,
  milestones: 10,
  evidenceItems: 20,
  evidenceLength: 2_000,
} as const;
