// The fault wrong-amount makes every amount of the payment provider larger by this.

export const OTHER_AMOUNT_BY = 100n;
