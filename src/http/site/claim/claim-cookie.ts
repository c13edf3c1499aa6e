import { HOUR } from '../../../duration.ts';
import { isPaymentProvider, type PaymentProvider } from '../../../payment-provider.ts';

/** The purchase that a provider sent this browser back with, and when. */
export type ReturnedPurchase = {
  readonly provider: PaymentProvider;
  readonly id: string;
  /** In milliseconds since 1970 UTC. */
  readonly since: number;
};

const TERM = HOUR;
const NAME = 'bookstall-claim';

/** The header that keeps a purchase for an hour: out of the address, which histories and other sites would see. */
export function keepPurchase({ provider, id, since }: ReturnedPurchase, isSecure: boolean): string {
  const value = `${provider}.${Buffer.from(id).toString('base64url')}.${since}`;
  return `${NAME}=${value}; Max-Age=${TERM / 1000}; Path=/claim; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** The purchase of a request's cookie; null without one, with two, or one that is not spelt so. */
export function readPurchase(request: Request): ReturnedPurchase | null {
  const pairs = (request.headers.get('cookie') ?? '')
    .split(/; */)
    .filter((pair) => pair.startsWith(`${NAME}=`));
  const [provider = '', id = '', since = ''] = (pairs[0] ?? '').slice(NAME.length + 1).split('.');
  if (pairs.length !== 1 || !isPaymentProvider(provider) || !/^\d{1,15}$/.test(since)) return null;
  return { provider, id: Buffer.from(id, 'base64url').toString(), since: Number(since) };
}
