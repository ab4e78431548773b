// State names of the resources, as the wire shows them.

export const USER_STATUSES = ['ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION'] as const;

export type UserStatus = (typeof USER_STATUSES)[number];

export const USER_TYPES = ['BUYER', 'SELLER', 'BOTH'] as const;

export type UserType = (typeof USER_TYPES)[number];
