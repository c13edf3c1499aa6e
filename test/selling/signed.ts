import { createHmac } from 'node:crypto';

export const STRIPE_SECRET = 'whsec_of_this_stall';
export const LEMONSQUEEZY_SECRET = 'a secret of the shop'.replaceAll(' ', '-');

/** A delivery as the provider makes it: the bytes, and the header that signs them. */
export type Signed = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** As Stripe signs it at a time in milliseconds. */
export function signStripe(event: unknown, at: number, secret = STRIPE_SECRET): Signed {
  const body = typeof event === 'string' ? event : JSON.stringify(event, null, 2);
  const time = Math.floor(at / 1000);
  const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { body, headers: { 'Stripe-Signature': `t=${time},v1=${mac}`, 'Content-Type': 'application/json' } };
}

/** As Lemon Squeezy signs it. */
export function signLemonSqueezy(event: unknown, secret = LEMONSQUEEZY_SECRET): Signed {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  return { body, headers: { 'X-Signature': mac, 'X-Event-Name': 'order_created' } };
}

export const POLAR_SECRET = 'polar_whs_of_this_stall';

/** As Polar signs it at a time in milliseconds: Standard Webhooks with the whole secret as the key. */
export function signPolar(event: unknown, at: number, id: string, secret = POLAR_SECRET): Signed {
  const body = JSON.stringify(event);
  const time = Math.floor(at / 1000);
  const mac = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  return {
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1,${mac}` },
  };
}
