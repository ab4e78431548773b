// The types of users, in words.

export const USER_TYPES = [
  { value: 'BOTH', name: 'Buyer and seller' },
  { value: 'BUYER', name: 'Buyer' },
  { value: 'SELLER', name: 'Seller' },
] as const;
