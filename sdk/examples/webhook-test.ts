// Signs an event as a sender would: for the tests of your own receiver.

import { signWebhook, verifyWebhook } from '@holdfast/sdk';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signed = await signWebhook({ eventId: 'evt_1', eventType: 'order.released' }, { secret });
const event = await verifyWebhook({ ...signed, secret });
console.log(`${event.eventType}, signed ${signed.headers['webhook-signature']}`);
