import { DAY, HOUR, MINUTE } from '../../duration.ts';
import type { Log } from '../../log.ts';
import { isPaymentProvider, type PaymentProvider, PROVIDER_NAMES } from '../../payment-provider.ts';
import { askProvider } from '../../providers/ask-provider.ts';
import { messageOf } from '../../refusal.ts';
import { parseBody, SALE_PROVIDERS } from '../../sales/providers.ts';
import type { ProviderApi, SalesConfig } from '../../sales-config.ts';
import type { Store } from '../../store/store.ts';
import type { WaitingEvent } from '../../store/tables/sale-events.ts';

/** When the provider is asked again, in milliseconds after each try; then hourly, until the event is this old. */
const DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
const LONGEST = 7 * DAY;

/** The most events that one pass asks about. */
const MOST = 20;

type Questions = {
  readonly config: Pick<SalesConfig, 'apis'>;
  readonly store: Store;
  readonly now: () => number;
};

type Dependencies = Questions & {
  readonly wakeOutbox: () => void;
  readonly log: Log;
};

/** Asks a provider about an event that waits for its answer; whether it waits no more. One whose API has no key goes on waiting. */
export function createWaitingQuestions({ config, store, now }: Questions) {
  const answer = async (
    event: WaitingEvent,
    provider: PaymentProvider,
    api: ProviderApi,
  ): Promise<boolean> => {
    const { id, tries, receivedAt } = event;
    const asks = SALE_PROVIDERS[provider]?.asks;
    const path = asks?.pathOf(parseBody(provider, event.body)) ?? null;
    const answered = path === null ? null : await askProvider(api, path);
    const at = now();
    const end = async (reason: string | null): Promise<true> => {
      await store.write('endSaleEvent', { id, reason, at });
      return true;
    };
    if (asks === undefined || answered === null) return end(null);
    if (answered.state === 'missing') return end(`${PROVIDER_NAMES[provider]} does not know it`);
    if (answered.state === 'failed') {
      if (at - receivedAt >= LONGEST) return end(null);
      const delay = Math.max(DELAYS[tries] ?? HOUR, (answered.retryAfter ?? 0) * 1000);
      await store.write('delaySaleEvent', { id, nextAt: at + delay, reason: answered.reason });
      return false;
    }
    for (const { id: eventId, body } of asks.readAnswer(answered.body, at))
      await store.write('addSaleEvent', {
        provider,
        mode: 'live',
        origin: 'api',
        body: new TextEncoder().encode(JSON.stringify(body)),
        eventId,
        at,
      });
    return end('its answer is kept');
  };
  return async (event: WaitingEvent): Promise<boolean> => {
    const api = isPaymentProvider(event.provider) ? config.apis[event.provider] : null;
    return isPaymentProvider(event.provider) && api !== null && answer(event, event.provider, api);
  };
}

/** Asks about events that wait for their provider's answer, when one arrives and every minute. */
export function startWaitingEvents({ config, store, wakeOutbox, log, now }: Dependencies) {
  const ask = createWaitingQuestions({ config, store, now });

  const pass = async (): Promise<void> => {
    try {
      const due = await store.listWaitingEvents(now(), MOST);
      for (const event of due) await ask(event);
      if (due.length > 0) wakeOutbox();
    } catch (error) {
      log({ event: 'sale-waiting', message: `Cannot ask about a sale now: ${messageOf(error)}` });
    }
  };

  let last = Promise.resolve();
  const run = (): Promise<void> => (last = last.then(pass));
  const timer = setInterval(() => void run(), MINUTE);
  timer.unref();
  return {
    run,
    async close(): Promise<void> {
      clearInterval(timer);
      await last;
    },
  };
}
